import type { Finish, ModelRequest, Usage } from '@x/core';

/** A tool call that a scripted model makes. */
export interface ScriptedCall {
  readonly name: string;
  /** An object is written as JSON; text is sent as it is, so that it may be broken on purpose. Default `{}`. */
  readonly arguments?: { readonly [key: string]: unknown } | string | undefined;
  /** Default `call_1`, `call_2`, … over the life of the model. */
  readonly id?: string | undefined;
}

/** One answer of a scripted model. */
export interface ScriptedReply {
  /** Text is cut into deltas at its spaces; a list is one delta each. */
  readonly text?: string | readonly string[] | undefined;
  /** What it thinks aloud, sent before the text. */
  readonly reasoning?: string | undefined;
  readonly toolCalls?: readonly ScriptedCall[] | undefined;
  /** Default: an estimate from the sizes of request and answer. */
  readonly usage?: Usage | undefined;
  /** Default `tool-calls` when there are calls, else `stop`. */
  readonly finish?: Finish | undefined;
  /** Thrown after everything above was sent, in place of the end. */
  readonly error?: unknown;
  /** True: after everything above it waits until it is aborted. */
  readonly hang?: boolean | undefined;
}

/** What a function in a script is told beside the request. */
export interface ScriptCall {
  /** How many requests came before this one. */
  readonly index: number;
  readonly signal: AbortSignal;
}

/** A reply, its text alone, or a function that decides when the request is there. */
export type ScriptItem =
  | string
  | ScriptedReply
  | ((request: ModelRequest, call: ScriptCall) => string | ScriptedReply | Promise<string | ScriptedReply>);

/** One item per request, in order; or one function for all of them. */
export type Script = readonly ScriptItem[] | Extract<ScriptItem, (...given: never) => unknown>;

/** The answer that an item gives to a request. */
export async function replyOf(item: ScriptItem, request: ModelRequest, call: ScriptCall): Promise<ScriptedReply> {
  const chosen = typeof item === 'function' ? await item(request, call) : item;
  return typeof chosen === 'string' ? { text: chosen } : chosen;
}

/** A generator of `call_1`, `call_2`, … for calls without an id of their own. */
export function countCalls(): () => string {
  let called = 0;
  return () => {
    called += 1;
    return `call_${called}`;
  };
}
