import type { Summarize } from '@x/compactor';
import { generate, type IChatModel } from '@x/core';

/** A summariser that asks a model: the transcript goes as quoted data in one user message, without tools. */
export function summarizeWith(model: () => IChatModel): Summarize {
  return async (_older, { prompt, maxTokens, signal }) => {
    const { text, finish } = await generate(
      model(),
      { messages: [{ role: 'user', content: prompt }], tools: [], maxOutputTokens: maxTokens * 2 },
      { signal },
    );
    return { text, finish };
  };
}
