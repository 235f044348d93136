import { type AgentosError, type Clock, isAgentosError, type ModelEvent, type Random, raceAbort } from '@x/core';
import { ClientFailedError, ModelNotFoundError, ModelTimeoutError } from './errors.js';
import { failureOf } from './failure-of.js';
import { createSseParser, type SseMessage } from './parse-sse.js';
import type { AnswerReader } from './read-answer.js';
import { type Limits, startWatch, type Watch } from './start-watch.js';

/** How long to wait, and how often to try. */
export interface Patience extends Limits {
  /** Tries after the first, while nothing of the answer has come. */
  readonly retries: number;
  /** A longer `Retry-After` is not waited for. */
  readonly maxRetryAfterMs: number;
  readonly random: Random;
}

/** What is read of a response; `Response` fits. */
export interface AnswerBody {
  readonly body: { getReader(): BodyReader } | null;
}

interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

export interface AskOptions extends Patience {
  /** Such as `openai/gpt-4o-mini`, for errors. */
  readonly where: string;
  /** Makes ready what is needed to send, such as a library to be loaded: that is no silence of the endpoint. */
  readonly prepare: () => Promise<unknown>;
  /** Sends the request. */
  readonly send: (signal: AbortSignal) => Promise<AnswerBody>;
  readonly createReader: () => AnswerReader;
  /** Looks at a refusal; true when the request was changed and may be sent again at once. */
  readonly adapt: (error: unknown) => boolean;
}

/** First wait before another try, doubled each time up to the longest; the figures are ours. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/**
 * Asks an endpoint and yields its events. Tries again only while nothing has been yielded and only where that may help;
 * what was yielded is never yielded twice.
 *
 * @param describe - Called once, when the first event is asked for.
 *
 * @throws `signal.reason` when aborted; else an `AgentosError`.
 */
export async function* askEndpoint(describe: () => AskOptions, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
  signal.throwIfAborted();
  const options = describe();
  const { where, send, createReader, adapt, clock, retries } = options;
  try {
    await raceAbort(options.prepare(), signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw isAgentosError(error) ? error : new ClientFailedError({ where, cause: error });
  }
  for (let tries = 0; ; ) {
    const watch = startWatch(options, signal);
    let begun = false;
    let thrown: unknown;
    try {
      const response = await answerOf(send(watch.signal), watch);
      const reader = createReader();
      for await (const events of batchesOf(response, reader, watch, { where, clock })) {
        for (const event of events) {
          begun = true;
          yield event;
        }
      }
      return;
    } catch (error) {
      thrown = error;
    } finally {
      watch.stop();
    }
    signal.throwIfAborted();
    if (!begun && adapt(thrown)) continue;
    const waitedMs = watch.timedOutAfterMs();
    const failure =
      waitedMs === undefined ? failureOf(thrown, where, clock.now()) : new ModelTimeoutError({ where, waitedMs, cause: thrown });
    const waitMs = begun || tries >= retries ? undefined : waitBefore(failure, tries, options);
    if (waitMs === undefined) throw failure;
    tries += 1;
    await sleep(waitMs, clock, signal);
  }
}

/** The answer, unless the try is given up first: then what comes late is let go, so that its connection is. */
function answerOf(sent: Promise<AnswerBody>, watch: Watch): Promise<AnswerBody> {
  sent
    .then(
      ({ body }) => (watch.signal.aborted ? body?.getReader().cancel() : undefined),
      () => undefined,
    )
    .catch(() => undefined);
  return watch.waitFor(sent);
}

async function* batchesOf(
  { body }: AnswerBody,
  reader: AnswerReader,
  watch: Watch,
  { where, clock }: { readonly where: string; readonly clock: Clock },
): AsyncGenerator<readonly ModelEvent[], void> {
  const source = body?.getReader();
  const parser = createSseParser();
  const decoder = new TextDecoder();
  // What it is shows at its beginning; the type that a gateway names is often the wrong one.
  let kind: 'unknown' | 'json' | 'sse' = 'unknown';
  let json = '';
  let isOver = source === undefined;
  let isWhole = false;
  try {
    while (source && !isOver && !reader.isDone()) {
      const bytes = await nextBytes(source, reader, watch);
      if (bytes === undefined) isOver = true;
      else {
        kind = kind === 'unknown' ? kindOf(bytes, where) : kind;
        if (kind === 'json') json += decoder.decode(bytes, { stream: true });
        else {
          const { events, failure } = read(parser.push(bytes), reader);
          if (events.length > 0) yield events;
          if (failure) throw failure.error;
        }
      }
    }
    if (kind === 'json') yield reader.whole(json + decoder.decode());
    else if (!reader.isDone()) {
      const { events, failure } = read(parser.end(), reader);
      if (events.length > 0) yield events;
      // What no blank line closed may be half a message: then the stream was cut, and the reader says so.
      if (failure && !isMalformed(failure.error)) throw failure.error;
    }
    const last = reader.end();
    isWhole = true;
    yield last;
  } finally {
    if (isOver || isWhole) watch.complete();
    if (source && !isOver) void (isWhole ? readOut(source, clock) : source.cancel().catch(() => undefined));
  }
}

/** @throws `model_not_found` a page begins: the address is a website's. */
function kindOf(bytes: Uint8Array, where: string): 'unknown' | 'json' | 'sse' {
  const first = bytes.find((byte) => byte > 0x20 && !BYTE_ORDER_MARK.includes(byte));
  if (first === 0x3c) throw new ModelNotFoundError({ where, reason: 'a_page_not_an_answer' });
  return first === undefined ? 'unknown' : first === 0x7b || first === 0x5b ? 'json' : 'sse';
}

const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

/** How long the end of a connection is waited for once the answer is complete. Ours. */
const LEFTOVER_WAIT_MS = 250;

/** Reads what follows a whole answer, which is mostly here already: only then can the connection be used again. */
async function readOut(source: BodyReader, clock: Clock): Promise<void> {
  const stop = clock.setTimeout(() => void source.cancel().catch(() => undefined), LEFTOVER_WAIT_MS);
  try {
    while (!(await source.read()).done);
  } catch {
    // The answer is whole; nobody waits for this connection.
  } finally {
    stop();
  }
}

/** The next bytes; `undefined` at the end. Whatever breaks after the answer gave its reason to end loses at most a count. */
async function nextBytes(source: BodyReader, reader: AnswerReader, watch: Watch): Promise<Uint8Array | undefined> {
  try {
    const { done, value } = await watch.waitFor(source.read());
    return done ? undefined : value;
  } catch (error) {
    if (watch.isAborted() || !(reader.isFinished() || reader.isDone())) throw error;
    return undefined;
  }
}

/** The events of all that came at once, up to the first message that fails. */
function read(
  messages: readonly SseMessage[],
  reader: AnswerReader,
): { readonly events: readonly ModelEvent[]; readonly failure?: { readonly error: unknown } | undefined } {
  const events: ModelEvent[] = [];
  try {
    for (const { data, event } of messages) {
      if (reader.isDone()) break;
      for (const one of reader.push(data, event)) events.push(one);
    }
  } catch (error) {
    return { events, failure: { error } };
  }
  return { events };
}

const isMalformed = (error: unknown): boolean => isAgentosError(error) && error.code === 'model_reply_malformed';

// How long to wait before the next try; `undefined` when there should be none.
function waitBefore(failure: AgentosError, tries: number, { random, maxRetryAfterMs }: Patience): number | undefined {
  if (!failure.retryable || !isAgentosError(failure)) return undefined;
  const { retryAfterMs } = failure as { readonly retryAfterMs?: number | undefined };
  if (retryAfterMs !== undefined) return retryAfterMs <= maxRetryAfterMs ? retryAfterMs : undefined;
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries) * (0.75 + random() * 0.25);
}

function sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
