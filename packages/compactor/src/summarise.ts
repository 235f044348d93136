import { AgentosError, type ChatMessage, type Clock } from '@x/core';
import { type Fields, jsonOf } from './dialect.js';
import type { FailureCode } from './events.js';
import type { Fact } from './facts.js';
import { SUMMARY_OPENING } from './marks.js';
import { SUMMARY_SECTIONS, summaryPrompt } from './quote-transcript.js';
import { repairPairs } from './repair-pairs.js';
import { wellFormed } from './well-formed.js';

/** What a summariser is told beside the messages. */
export interface SummarizeContext {
  /** Aborted at the time-out and when the turn is; a call to a model should get it. */
  readonly signal: AbortSignal;
  /** Which part of how many; 1 of 1 where everything fits into one call. */
  readonly part: number;
  readonly parts: number;
  /** True for the call that joins the summaries of the parts. */
  readonly merging: boolean;
  /** Tokens that the summary may have. */
  readonly maxTokens: number;
  /** A prompt for a model: the messages as quoted data, then what to do. Send it as the only user message, without tools. */
  readonly prompt: string;
}

/** A summary, and how its model ended: anything but `stop` counts as unfinished. */
export type Summary =
  | string
  | { readonly text: string; readonly finish?: string | undefined; readonly facts?: readonly (string | Fact)[] | undefined };

/**
 * Makes a summary of older messages, which are a copy; a summary of even older ones comes first, as a user message that
 * opens with `[Summary of earlier conversation]`. May call a model.
 */
export type Summarize = {
  // A method, so that a host may name the messages by a type of its own.
  call(older: ChatMessage[], context: SummarizeContext): Summary | Promise<Summary>;
}['call'];

export interface Summarised {
  readonly text: string;
  readonly facts: readonly (string | Fact)[];
  readonly calls: number;
}

/** A summary that was not taken. */
export class SummaryRefused extends AgentosError {
  override readonly name = 'SummaryRefused';
  readonly code = 'summary_refused';
  readonly retryable = true;
  readonly reason: FailureCode;
  constructor(reason: FailureCode, cause?: unknown) {
    super(`The summary was not taken (${reason}); the conversation is unchanged. See the reason and the cause.`, { cause });
    this.reason = reason;
  }
}

export interface SummariserOptions {
  readonly summarize: Summarize;
  readonly summaryTokens: number;
  /** Tokens that go into one call. */
  readonly windowTokens: number;
  readonly timeoutMs: number;
  readonly sections: readonly string[] | undefined;
  readonly clock: Clock;
  readonly countText: (text: string) => number;
  readonly countMessage: (message: object) => number;
}

export interface SummariseRequest {
  readonly messages: readonly object[];
  /** Starts of the groups among them that may not be split. */
  readonly starts: readonly number[];
  readonly previous: string;
  readonly signal: AbortSignal | undefined;
}

/** How often a rejected summary is asked for again. */
const ATTEMPTS = 2;
/** Room in a call for what stands around the transcript. */
const PROMPT_SHARE = 0.8;
/** Finished parts that are remembered, so that a failure in a later one does not cost them again. */
const CACHED_PARTS = 64;

/**
 * Makes a summariser: in one call where the window allows it, else in parts that are cached by content, then joined.
 * Every call has its own time-out.
 */
export function createSummariser(options: SummariserOptions) {
  const cache = new Map<string, Summarised>();
  const room = Math.max(1, Math.floor(options.windowTokens * PROMPT_SHARE));

  async function attempt(
    messages: readonly object[],
    context: Pick<SummarizeContext, 'part' | 'parts' | 'merging'>,
    request: SummariseRequest,
    previous: string,
    accept: Accept,
  ): Promise<Summarised> {
    for (let tries = 1; ; tries += 1) {
      const answer = await timed(options, messages, context, request.signal, previous);
      const reason = refusalOf(answer, options, context.parts === 1 || context.merging);
      const text = reason === undefined ? wellFormed(textOf(answer)).trim() : '';
      const refused = reason ?? accept(text);
      if (refused === undefined) return { text, facts: typeof answer === 'object' ? (answer.facts ?? []) : [], calls: tries };
      accept.rejected(refused, tries);
      if (tries >= ATTEMPTS) throw new SummaryRefused(refused);
    }
  }

  return {
    /** @throws {@link SummaryRefused}; nothing else. */
    async summarise(request: SummariseRequest, accept: Accept): Promise<Summarised> {
      const parts = split(request, room, options);
      const [only] = parts;
      if (parts.length === 1 && only) return attempt(only, { part: 1, parts: 1, merging: false }, request, request.previous, accept);
      const none: Accept = Object.assign(() => undefined, { rejected: accept.rejected });
      let calls = 0;
      const keys: string[] = [];
      let pieces: Summarised[] = [];
      for (const [index, messages] of parts.entries()) {
        const key = jsonOf(messages);
        keys.push(key);
        let done = cache.get(key);
        if (done === undefined) {
          done = await attempt(
            messages,
            { part: index + 1, parts: parts.length, merging: false },
            request,
            index === 0 ? request.previous : '',
            none,
          );
          calls += done.calls;
          if (cache.size >= CACHED_PARTS) cache.delete(cache.keys().next().value!);
          cache.set(key, done);
        }
        pieces.push(done);
      }
      const facts = pieces.flatMap((piece) => piece.facts);
      while (pieces.length > 1) {
        const groups = split({ ...request, ...asMessages(pieces), previous: '' }, room, options);
        const last = groups.length === 1;
        if (groups.length >= pieces.length) throw new SummaryRefused('summary_too_long');
        const next: Summarised[] = [];
        for (const [index, group] of groups.entries()) {
          const merged = await attempt(group, { part: index + 1, parts: groups.length, merging: true }, request, '', last ? accept : none);
          calls += merged.calls;
          next.push(merged);
        }
        pieces = next;
      }
      for (const key of keys) cache.delete(key);
      return { text: pieces[0]!.text, facts: [...facts, ...pieces[0]!.facts], calls };
    },
  };
}

/** Says why a text is not good enough, or `undefined` when it is. */
export interface Accept {
  (text: string): FailureCode | undefined;
  rejected(code: FailureCode, attempt: number): void;
}

function asMessages(pieces: readonly Summarised[]): { messages: readonly object[]; starts: readonly number[] } {
  return { messages: pieces.map(({ text }) => ({ role: 'user', content: text })), starts: pieces.map((_, index) => index) };
}

function split(
  { messages, starts, previous }: SummariseRequest,
  room: number,
  { countMessage, countText }: SummariserOptions,
): readonly (readonly object[])[] {
  const parts: object[][] = [];
  let part: object[] = [];
  let tokens = countText(previous);
  for (const [position, start] of starts.entries()) {
    const group = messages.slice(start, starts[position + 1] ?? messages.length);
    const size = group.reduce((sum, message) => sum + countMessage(message), 0);
    if (part.length > 0 && tokens + size > room) {
      parts.push(part);
      part = [];
      tokens = 0;
    }
    for (const message of group) part.push(message);
    tokens += size;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

async function timed(
  { summarize, summaryTokens, timeoutMs, sections, clock }: SummariserOptions,
  messages: readonly object[],
  { part, parts, merging }: Pick<SummarizeContext, 'part' | 'parts' | 'merging'>,
  signal: AbortSignal | undefined,
  previous: string,
): Promise<Summary> {
  if (signal?.aborted) throw new SummaryRefused('aborted', signal.reason);
  const stop = new AbortController();
  const older = copyOf(messages, previous);
  const context: SummarizeContext = {
    signal: stop.signal,
    part,
    parts,
    merging,
    maxTokens: summaryTokens,
    get prompt() {
      return summaryPrompt(messages, { maxTokens: summaryTokens, sections: sections ?? SUMMARY_SECTIONS, previous, merging });
    },
  };
  let cancel: () => void = () => undefined;
  let onAbort: () => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: FailureCode, cause?: unknown): void => {
      stop.abort(cause ?? new SummaryRefused(reason));
      reject(new SummaryRefused(reason, cause));
    };
    cancel = clock.setTimeout(() => end('summarize_timed_out'), timeoutMs);
    onAbort = () => end('aborted', signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([ended, (async () => summarize(older as ChatMessage[], context))()]);
  } catch (error) {
    throw error instanceof SummaryRefused ? error : new SummaryRefused('summarize_threw', error);
  } finally {
    cancel();
    signal?.removeEventListener('abort', onAbort);
    ended.catch(() => undefined);
  }
}

/** Copies to hand out: changing them changes nothing of ours, and they carry only what a provider may see. */
function copyOf(messages: readonly object[], previous: string): object[] {
  const copies = repairPairs(messages).messages.map((message) => {
    const { id: _id, origin: _origin, sender: _sender, ...wire } = message as Fields;
    return deepCopy(wire) as object;
  });
  if (previous !== '') copies.unshift({ role: 'user', content: `${SUMMARY_OPENING}\n${previous}` });
  return copies;
}

function deepCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(deepCopy);
  const copy: { [key: string]: unknown } = {};
  for (const key in value) if (key !== '__proto__') copy[key] = deepCopy((value as Fields)[key]);
  return copy;
}

function textOf(answer: Summary): string {
  return typeof answer === 'string' ? answer : answer.text;
}

/** Text that a failing service or a refusing model puts where a summary should be. */
const LOOKS_LIKE_ERROR =
  /^\W{0,4}(?:(?:\w+ ?)?error\b|exception\b|traceback\b|failed to\b|request failed|rate limit|too many requests|internal server|service unavailable|bad gateway|unauthori[sz]ed|undefined$|null$|\[object Object\]|i(?:'m| am) (?:sorry|unable|afraid)|sorry,|i can(?:'t|not) (?:help|assist|summari|do|comply))|^\s*\{\s*"?error"?\s*:/i;

function refusalOf(answer: unknown, { sections }: SummariserOptions, final: boolean): FailureCode | undefined {
  const text = typeof answer === 'string' ? answer : (answer as { text?: unknown } | null | undefined)?.text;
  if (typeof text !== 'string') return 'summary_not_text';
  const finish = typeof answer === 'string' ? undefined : (answer as { finish?: unknown }).finish;
  if (finish !== undefined && finish !== 'stop') return 'summary_unfinished';
  if (text.trim() === '') return 'summary_empty';
  if (text.length < 600 && LOOKS_LIKE_ERROR.test(text)) return 'summary_is_error';
  const lower = text.toLowerCase();
  if (final && sections?.some((section) => !lower.includes(section.toLowerCase()))) return 'summary_sections_missing';
  return undefined;
}
