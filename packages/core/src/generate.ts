import { AgentosError } from './errors.js';
import type { ChatMessage, ToolCall } from './messages.js';
import { type Finish, type IChatModel, knownUsage, type ModelRequest, type Usage } from './model.js';

/** The stream of a model stopped before its last event. */
export class ModelStreamCutError extends AgentosError {
  override readonly name = 'ModelStreamCutError';
  readonly code = 'model_stream_cut';
  readonly retryable = true;
}

/** A model's whole answer. */
export interface Generated {
  readonly text: string;
  /** What the model thought aloud, kept apart from its answer. */
  readonly reasoning: string;
  readonly calls: readonly (ToolCall & { readonly unparseable?: string | undefined })[];
  readonly finish: Finish;
  readonly usage: Usage;
  /** The answer as a message; without `tool_calls` when none were made. */
  readonly message: ChatMessage;
}

/**
 * Reads a model's stream to its end.
 *
 * @throws {@link ModelStreamCutError} the stream ended early; whatever `model.stream` throws; `signal.reason`.
 */
export async function generate(
  model: IChatModel,
  request: ModelRequest,
  { signal = new AbortController().signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Generated> {
  let text = '';
  let reasoning = '';
  const calls: (ToolCall & { unparseable?: string | undefined })[] = [];
  for await (const event of model.stream(request, { signal })) {
    signal.throwIfAborted();
    if (event.type === 'text-delta') text += event.text;
    else if (event.type === 'reasoning-delta') reasoning += event.text;
    else if (event.type === 'tool-call')
      calls.push(event.unparseable === undefined ? event.call : { ...event.call, unparseable: event.unparseable });
    else if (event.type === 'model-end') {
      const tool_calls = calls.map(({ unparseable: _unparseable, ...call }) => call);
      const message: ChatMessage = {
        role: 'assistant',
        content: text || (calls.length > 0 ? null : ''),
        ...(calls.length > 0 && { tool_calls }),
      };
      return { text, reasoning, calls, finish: event.finish, usage: knownUsage(event.usage), message };
    }
  }
  signal.throwIfAborted();
  throw new ModelStreamCutError(`The stream of ${model.providerId}/${model.modelId} ended before its last event. Ask again.`);
}
