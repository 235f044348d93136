import {
  type ChatMessage,
  type Finish,
  type IChatModel,
  isAgentosError,
  knownUsage,
  type ModelEvent,
  type ModelRequest,
  ModelStreamCutError,
  type Usage,
} from '@x/core';
import { ModelFailedError } from './errors.js';
import type { AskedCall } from './run-tools.js';
import type { StepEvent } from './session-types.js';

/** What a model answered in one step. */
export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly AskedCall[];
  readonly finish: Finish;
  readonly usage: Usage;
  readonly message: ChatMessage & { readonly role: 'assistant' };
}

/**
 * Reads one answer, handing its pieces on as they come. Stops at once when the signal is aborted, whatever the model
 * does. Calls get an id where they have none or share one with another call, of this answer or an earlier one: some
 * servers count from 0 in each answer, and others refuse a request that names two calls alike.
 *
 * @throws `AgentosError` as the model threw it, else {@link ModelFailedError}; `model_stream_cut`; `signal.reason`.
 */
export async function askModel(
  model: IChatModel,
  request: ModelRequest,
  { signal, step, emit }: { readonly signal: AbortSignal; readonly step: number; emit(event: StepEvent): void },
): Promise<ModelAnswer> {
  const name = `${model.providerId}/${model.modelId}`;
  let text = '';
  const calls: AskedCall[] = [];
  let seen: Set<string> | undefined;
  let giveUp: (reason: unknown) => void = () => {};
  const stop = (): void => giveUp(signal.reason);
  // By hand: Promise.race would take four promises for each piece of an answer.
  const nextOf = (events: AsyncIterator<ModelEvent>) =>
    new Promise<IteratorResult<ModelEvent>>((resolve, reject) => {
      giveUp = reject;
      Promise.resolve(events.next()).then(resolve, reject);
    });
  signal.throwIfAborted();
  signal.addEventListener('abort', stop, { once: true });
  let iterator: AsyncIterator<ModelEvent> | undefined;
  const take = (event: ModelEvent): ModelAnswer | undefined => {
    if (event.type === 'text-delta') {
      text += event.text;
      emit({ type: 'text-delta', step, text: event.text });
    } else if (event.type === 'reasoning-delta') emit({ type: 'reasoning-delta', step, text: event.text });
    else if (event.type === 'tool-call') {
      seen ??= callIds(request.messages);
      const id = event.call.id && !seen.has(event.call.id) ? event.call.id : freeId(seen, step, calls.length);
      seen.add(id);
      const call = { ...event.call, id };
      calls.push(event.unparseable === undefined ? call : { ...call, unparseable: event.unparseable });
    } else if (event.type === 'model-end') return answerOf(text, calls, event.finish, knownUsage(event.usage));
    return undefined;
  };
  try {
    iterator = model.stream(request, { signal })[Symbol.asyncIterator]();
    for (;;) {
      const next = await nextOf(iterator);
      if (signal.aborted) throw signal.reason;
      if (next.done) throw new ModelStreamCutError(`The stream of ${name} ended before its last event. Ask again.`);
      const answer = take(next.value);
      if (answer) return answer;
      signal.throwIfAborted();
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (isAgentosError(error)) throw error;
    throw new ModelFailedError({ model: name, cause: error });
  } finally {
    signal.removeEventListener('abort', stop);
    void Promise.resolve(iterator?.return?.()).catch(() => {});
  }
}

function answerOf(text: string, calls: readonly AskedCall[], finish: Finish, usage: Usage): ModelAnswer {
  const tool_calls = calls.map(({ unparseable: _unparseable, ...call }) => call);
  const content = text || (calls.length > 0 ? null : '');
  return { text, calls, finish, usage, message: { role: 'assistant', content, ...(calls.length > 0 && { tool_calls }) } };
}

function callIds(messages: readonly ChatMessage[]): Set<string> {
  const ids = new Set<string>();
  for (const { tool_calls } of messages) if (tool_calls) for (const { id } of tool_calls) ids.add(id);
  return ids;
}

function freeId(seen: ReadonlySet<string>, step: number, index: number): string {
  let id = `call-${step}-${index}`;
  for (let number = seen.size; seen.has(id); number += 1) id = `call-${step}-${index}-${number}`;
  return id;
}
