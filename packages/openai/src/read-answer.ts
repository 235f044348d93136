import type { Finish, ModelEvent } from '@x/core';
import { ModelReplyMalformedError } from './errors.js';

/** Reads one answer of a wire format, from a stream or whole. Without accessors: V8 would keep each until a full collection. */
export interface AnswerReader {
  /** The events of one message of the stream. */
  push(data: string, event: string): readonly ModelEvent[];
  /** The events of an answer that came as one JSON object. */
  whole(json: string): readonly ModelEvent[];
  /** The last events. Throws when the answer was cut. */
  end(): readonly ModelEvent[];
  /** True once the stream said that it is complete; nothing after it counts. */
  isDone(): boolean;
  /** True once it gave a reason for its end: a broken connection after that loses nothing. */
  isFinished(): boolean;
}

/** Which kind of end a provider's word means; `undefined` for no word. Empty counts as none, and so do words for nothing. */
export function finishOf(word: unknown): Finish | undefined {
  const name = typeof word === 'string' ? word.trim().toLowerCase().replaceAll('-', '_') : '';
  if (/^(?:null|none|undefined)?$/.test(name)) return undefined;
  if (
    /^(?:length|max_(?:output_)?tokens|max_length|model_context_window_exceeded|context_length_exceeded|token_limit|error_limit)$/.test(
      name,
    )
  )
    return 'length';
  if (
    /^(?:content_filter(?:ed)?|refusal|refused|(?:image_)?safety|recitation|blocklist|prohibited_content|spii|sensitive|guardrail_intervened|error_toxic)$/.test(
      name,
    )
  )
    return 'refused';
  if (/^(?:tool_calls?|tool_use|function_call)$/.test(name)) return 'tool-calls';
  return 'stop';
}

/**
 * True for a provider's word that means that the answer failed on its side: whatever came before it is a part.
 *
 * @remarks Such as `error` of OpenRouter, `insufficient_system_resource` of DeepSeek, `network_error` of Zhipu, `abort` of
 * vLLM, and `MALFORMED_FUNCTION_CALL` of Gemini.
 */
export function isFailureWord(word: unknown): word is string {
  return (
    typeof word === 'string' &&
    finishOf(word) === 'stop' &&
    /(?:^|_)(?:error|fail(?:ed|ure)?|abort(?:ed)?|cancell?ed|time_?out|overloaded|insufficient_system_resource|malformed_function_call|unexpected_tool_call)$/i.test(
      word.trim(),
    )
  );
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

/** A parsed JSON object. */
export type Fields = { readonly [name: string]: unknown };

/** Narrows to an object that is not an array. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The object that an answer or a message of a stream is. A list of one stands for it.
 *
 * @throws `model_reply_malformed` it is none; its text is not told: it may hold what the user said.
 */
export function parseFields(json: string, where: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // Told below.
  }
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (!isFields(one)) throw new ModelReplyMalformedError({ where, reason: 'not a JSON object' });
  return one;
}

/** True for a message that only keeps the connection open. */
export function isKeepAlive(data: string, event: string): boolean {
  return data === '' || data === 'null' || /^(?:ping|heartbeat|keep-?alive)$/i.test(event);
}
