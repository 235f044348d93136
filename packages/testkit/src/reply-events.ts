import type { ModelEvent, ModelRequest } from '@x/core';
import { requestTokens, textTokens } from './estimate-size.js';
import type { ScriptedReply } from './script.js';

/**
 * The events that a written answer becomes: reasoning, text, calls, end.
 *
 * @param nextId - Names the calls that have no id of their own.
 */
export async function* replyEvents(
  { text = '', reasoning = '', toolCalls = [], usage, finish, error, hang = false }: ScriptedReply,
  request: ModelRequest,
  nextId: () => string,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  for (const delta of deltasOf(reasoning)) yield { type: 'reasoning-delta', text: delta };
  for (const delta of typeof text === 'string' ? deltasOf(text) : text) yield { type: 'text-delta', text: delta };
  let written = reasoning + (typeof text === 'string' ? text : text.join(''));
  for (const call of toolCalls) {
    const json = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});
    written += call.name + json;
    const problem = whyUnparseable(json);
    yield {
      type: 'tool-call',
      call: { id: call.id ?? nextId(), type: 'function', function: { name: call.name, arguments: json } },
      ...(problem !== undefined && { unparseable: problem }),
    };
  }
  if (hang) await aborted(signal);
  if (error !== undefined) throw error;
  yield {
    type: 'model-end',
    finish: finish ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop'),
    usage: usage ?? { inputTokens: requestTokens(request), outputTokens: textTokens(written) },
  };
}

/** A text in pieces of one word with the space before it; joined they are the text again. */
export function deltasOf(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

function whyUnparseable(json: string): string | undefined {
  try {
    JSON.parse(json);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'not JSON';
  }
}

/** Rejects with the signal's reason once it is aborted. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
