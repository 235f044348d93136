import type { IncomingHttpHeaders } from 'node:http';
import type { IChatModel, ModelEvent, ModelRequest } from '@x/core';
import { ScriptExhaustedError } from '../create-scripted-model.js';
import { replyEvents } from '../reply-events.js';
import { countCalls, replyOf, type ScriptedReply, type ScriptItem } from '../script.js';
import type { Body } from './dialect.js';
import type { Fault } from './fault.js';

/** What a function in the server's script is told beside the parsed body. */
export interface ServedCall {
  /** How many requests came before this one. */
  readonly index: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as a model's request. */
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
}

/** Written answers in order, a function of the parsed HTTP body, or a model such as the offline one. */
export type ServerScript =
  | readonly ScriptItem[]
  | IChatModel
  | ((body: Body, call: ServedCall) => string | ScriptedReply | Promise<string | ScriptedReply>);

/** Answers a parsed body with a model's events. */
export type Answerer = (body: Body, call: ServedCall, fault: Fault | undefined) => AsyncIterable<ModelEvent>;

/** Makes an answerer of any kind of script. */
export function answererOf(script: ServerScript): Answerer {
  const nextId = countCalls();
  if (typeof script === 'function') {
    return async function* (body, call) {
      const reply = await script(body, call);
      yield* replyEvents(typeof reply === 'string' ? { text: reply } : reply, call.request, nextId, call.signal);
    };
  }
  if ('stream' in script) return (_body, { request, signal }) => script.stream(request, { signal });
  let position = 0;
  return async function* (_body, { request, index, signal }, fault) {
    const item = script[position];
    if (item === undefined) {
      throw new ScriptExhaustedError(`The server was asked for answer ${position + 1}, its script has ${script.length}. Add one.`);
    }
    // A client that did not get its answer asks again, and should get this one.
    if (fault === undefined || !BREAKING.has(fault.kind)) position += 1;
    yield* replyEvents(await replyOf(item, request, { index, signal }), request, nextId, signal);
  };
}

const BREAKING: ReadonlySet<Fault['kind']> = new Set(['hang', 'cut', 'early-end', 'malformed-json', 'in-band-error']);
