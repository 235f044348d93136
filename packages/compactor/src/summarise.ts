import { type AskOptions, askSummary, type Place } from './ask-summary.js';
import { CompactionFailedError } from './compaction-failed.js';
import { isTexts } from './options.js';
import { refusalOf } from './refuse-summary.js';
import { createPartCache, type Splittable, splitParts } from './split-parts.js';
import type { Accept, Summarised, Summary } from './summary.js';
import { wellFormed } from './well-formed.js';
import { withoutReasoning } from './without-reasoning.js';

export interface SummariserOptions extends AskOptions {
  /** Tokens that go into one call. */
  readonly windowTokens: number;
  readonly countText: (text: string) => number;
  readonly countMessage: (message: object) => number;
}

export interface SummariseRequest extends Splittable {
  readonly signal: AbortSignal | undefined;
}

/** How often a rejected summary is asked for again. */
const ATTEMPTS = 2;
/** Room in a call for what stands around the transcript. */
const PROMPT_SHARE = 0.8;

/**
 * Makes a summariser: in one call where the window allows it, else in parts that are cached by content, then joined.
 * Every call has its own time-out.
 */
export function createSummariser(options: SummariserOptions) {
  const cache = createPartCache();
  const split = { ...options, room: Math.max(1, Math.floor(options.windowTokens * PROMPT_SHARE)) };

  async function attempt(
    messages: readonly object[],
    place: Place,
    previous: string,
    signal: AbortSignal | undefined,
    accept: Accept,
  ): Promise<Summarised> {
    for (let tries = 1; ; tries += 1) {
      const answer = saidIn(await askSummary(options, messages, place, previous, signal));
      const { sections, facts } = typeof answer === 'object' && answer !== null ? answer : {};
      const promised = isTexts(sections) ? sections : undefined;
      const isFinal = place.parts === 1 || place.merging;
      const reason = refusalOf(answer, isFinal ? (options.sections ?? promised) : undefined);
      const text = reason === undefined ? wellFormed(textOf(answer)).trim() : '';
      const refused = reason ?? accept(text);
      if (refused === undefined) return { text, facts: Array.isArray(facts) ? facts : [], calls: tries };
      accept.rejected(refused, tries);
      if (tries >= ATTEMPTS) throw new CompactionFailedError(refused);
    }
  }

  return {
    /** @throws {@link CompactionFailedError}, and what `accept` and the counts throw. */
    async summarise(request: SummariseRequest, accept: Accept): Promise<Summarised> {
      const { previous, signal } = request;
      const parts = splitParts(request, split);
      const [only] = parts;
      if (parts.length === 1 && only) return attempt(only, { part: 1, parts: 1, merging: false }, previous, signal, accept);
      const anything: Accept = Object.assign(() => undefined, { rejected: accept.rejected });
      let calls = 0;
      const keys: (string | undefined)[] = [];
      let pieces: Summarised[] = [];
      for (const [index, messages] of parts.entries()) {
        const before = index === 0 ? previous : '';
        const key = cache.keyOf(messages, before);
        let done = cache.get(key);
        if (done === undefined) {
          done = await attempt(messages, { part: index + 1, parts: parts.length, merging: false }, before, signal, anything);
          calls += done.calls;
          cache.put(key, done);
        }
        keys.push(key);
        pieces.push(done);
      }
      const facts = pieces.flatMap((piece) => piece.facts);
      while (pieces.length > 1) {
        const groups = splitParts(asMessages(pieces), split);
        const isLast = groups.length === 1;
        if (groups.length >= pieces.length) throw new CompactionFailedError('summary_too_long');
        const next: Summarised[] = [];
        for (const [index, group] of groups.entries()) {
          const place = { part: index + 1, parts: groups.length, merging: true };
          const merged = await attempt(group, place, '', signal, isLast ? accept : anything);
          calls += merged.calls;
          next.push(merged);
        }
        pieces = next;
      }
      cache.forget(keys);
      return { text: pieces[0]!.text, facts: [...facts, ...pieces[0]!.facts], calls };
    },
  };
}

function asMessages(pieces: readonly Summarised[]): Splittable {
  return { messages: pieces.map(({ text }) => ({ role: 'user', content: text })), starts: pieces.map((_, index) => index), previous: '' };
}

/** The answer as its model meant it: what it thought aloud before is no part of it. */
function saidIn(answer: Summary): Summary {
  if (typeof answer === 'string') return withoutReasoning(answer);
  return typeof answer?.text === 'string' ? { ...answer, text: withoutReasoning(answer.text) } : answer;
}

function textOf(answer: Summary): string {
  return typeof answer === 'string' ? answer : answer.text;
}
