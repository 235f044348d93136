import type { Finish, ModelEvent, Usage } from '@x/core';

/** Reads one answer of a wire format, from a stream or whole. */
export interface AnswerReader {
  /** The events of one message of the stream. */
  push(data: string, event: string): readonly ModelEvent[];
  /** The events of an answer that came as one JSON object. */
  whole(json: string): readonly ModelEvent[];
  /** The last events. Throws when the answer was cut. */
  end(): readonly ModelEvent[];
  /** True once the stream said that it is complete; nothing after it counts. */
  readonly isDone: boolean;
  /** True once it gave a reason for its end: a broken connection after that loses nothing. */
  readonly isFinished: boolean;
}

/** Which kind of end a provider's word means; `undefined` for no word. Empty counts as none. */
export function finishOf(word: unknown): Finish | undefined {
  if (typeof word !== 'string' || word === '') return undefined;
  const name = word.toLowerCase();
  if (/^(?:length|max_tokens|max_output_tokens|model_context_window_exceeded|token_limit)$/.test(name)) return 'length';
  if (/^(?:content_filter|refusal|safety|recitation|blocklist|prohibited_content|spii)$/.test(name)) return 'refused';
  if (/^(?:tool_calls|tool_use|function_call)$/.test(name)) return 'tool-calls';
  return 'stop';
}

/**
 * The end that counts: cut off and refused stand; else complete calls decide over the word.
 */
export function settledFinish(said: Finish | undefined, calls: number): Finish {
  if (said === 'length' || said === 'refused') return said;
  return calls > 0 ? 'tool-calls' : 'stop';
}

/** What must not run, and why: calls of an answer that was cut off or refused. */
export function whyNotRun(finish: Finish): string | undefined {
  if (finish === 'length') return 'the answer was cut off at its limit, so its calls are not run';
  return finish === 'refused' ? 'the endpoint stopped the answer, so its calls are not run' : undefined;
}

/** A number, or `undefined` for whatever else stands there. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

export type Counts = Usage;

/** A parsed JSON object. */
export type Fields = { readonly [name: string]: unknown };

/** Narrows to an object that is not an array. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
