import type { Findings, Hit } from './findings.js';
import { CUES } from './lexicon/language-source.js';
import { markBit } from './phrase-bits.js';
import { KIND, type Tokens, textOf } from './tokens.js';

/** Who is said to feel what, as far as a text has been walked. */
export interface Ascriptions {
  /** The last person told of, -1 for none. */
  otherAt: number;
  /** The last feeling that nobody has been found for, and where it ends; -1 for none. */
  feltAt: number;
  feltEnd: number;
  /** Marks are read up to here: a phrase and its last word may both carry one. */
  readTo: number;
  /** What others are said to feel, as pairs of first token and end. */
  theirs: number[] | undefined;
}

const OTHER = markBit('other');
const FELT = markBit('felt');
const TASK = markBit('task');
const NOW = markBit('now');
const REQUEST = CUES.indexOf('request');

/** How many tokens a feeling may stand behind the person who has it, or before; ours. */
const REACH = { words: { behind: 7, before: 4 }, characters: { behind: 10, before: 6 } } as const;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
/** With one of them between, the feeling is the writer's own: "my boss waits and I am furious", "a client who makes me mad". */
const WRITER = /* @__PURE__ */ setOf(
  "i i'm i've i'd me we we're us ich mich mir wir uns yo me estoy soy tengo estamos nos je j'ai j'en suis moi nous eu estou tô fiquei nós io noi siamo ik mij ons wij 我 私 僕 俺",
);
/** Behind them stands a reason, which may be the writer's own complaint. */
const REASONS = /* @__PURE__ */ setOf('because since weil da denn porque pois parce car perché poiché omdat want 因');

export function noAscriptions(): Ascriptions {
  return { otherAt: -1, feltAt: -1, feltEnd: -1, readTo: 0, theirs: undefined };
}

/** Reads the marks of what begins at `index`: gives feelings to the people who are said to have them. */
export function takeMarks(state: Ascriptions, found: Findings, tokens: Tokens, index: number, to: number, marks: number): void {
  if (index < state.readTo) return;
  state.readTo = to;
  if ((marks & TASK) !== 0) found.tasks += 1;
  if ((marks & NOW) !== 0 && found.nowAt === -1) found.nowAt = index;
  const reach = tokens.kinds[index] === KIND.cjk ? REACH.characters : REACH.words;
  if ((marks & FELT) !== 0) {
    const { otherAt } = state;
    if (otherAt !== -1 && index - otherAt <= reach.behind && isOneClause(tokens, otherAt + 1, index, STOPS)) ascribe(state, index, to);
    else {
      state.feltAt = index;
      state.feltEnd = to;
    }
  }
  if ((marks & OTHER) !== 0) {
    const { feltAt, feltEnd } = state;
    if (
      feltAt !== -1 &&
      index - feltAt <= reach.before &&
      isOneClause(tokens, Math.max(0, feltAt - 3), feltAt, '') &&
      isOneClause(tokens, feltEnd, index, `${STOPS},、`)
    ) {
      ascribe(state, feltAt, feltEnd);
      state.feltAt = -1;
    }
    state.otherAt = index;
  }
}

/**
 * Inside a request, what others feel is its topic: "a client is furious about the delay, draft an answer". There it and
 * what follows in its clause no longer count; told for its own sake it does, as the writer may well share it.
 */
export function withdrawTheirs({ theirs }: Ascriptions, found: Findings, tokens: Tokens): void {
  if (theirs === undefined || found.tasks + (found.cues[REQUEST] ?? 0) === 0) return;
  const { hits } = found;
  let next = 0;
  let covered = 0;
  let lost = 0;
  // Hits stand in the order of the text, and what one pair covers the next need not walk again: the whole is walked once.
  for (const [from, end] of inOrder(theirs)) {
    if (end <= covered) continue;
    const start = Math.max(from, covered);
    covered = clauseEnd(tokens, end);
    for (; next < hits.length && (hits[next] as Hit).at < covered; next += 1) {
      const hit = hits[next] as Hit;
      if (hit.at >= start) lost |= withdraw(found, hit);
    }
  }
  for (let cue = 0; cue < CUES.length; cue += 1)
    if ((lost & (1 << cue)) !== 0) found.first[cue] = hits.find(({ cues }) => (cues & (1 << cue)) !== 0)?.at ?? -1;
}

function inOrder(pairs: readonly number[]): readonly (readonly [from: number, end: number])[] {
  const list: [number, number][] = [];
  for (let at = 0; at < pairs.length; at += 2) list.push([pairs[at] as number, pairs[at + 1] as number]);
  return list.sort(([a], [b]) => a - b);
}

/** Lets a hit count for nothing; returns the cues, as bits, that were first said by it. */
function withdraw(found: Findings, hit: Hit): number {
  let first = 0;
  for (let cue = 0; cue < CUES.length; cue += 1) {
    if ((hit.cues & (1 << cue)) === 0) continue;
    found.cues[cue] = (found.cues[cue] ?? 0) - 1;
    if (found.first[cue] === hit.at) first |= 1 << cue;
  }
  hit.weight = 0;
  hit.cues = 0;
  return first;
}

function ascribe(state: Ascriptions, from: number, to: number): void {
  if (state.theirs === undefined) state.theirs = [from, to];
  else state.theirs.push(from, to);
}

const STOPS = '.!?。…;:';

function isOneClause(tokens: Tokens, from: number, to: number, stops: string): boolean {
  for (let at = from; at < to; at += 1) {
    const text = textOf(tokens, at);
    if (tokens.kinds[at] === KIND.mark ? stops.includes(text.charAt(0)) : WRITER.has(text)) return false;
  }
  return true;
}

function clauseEnd(tokens: Tokens, from: number): number {
  let at = from;
  while (at < tokens.size && tokens.kinds[at] !== KIND.mark && !endsClause(textOf(tokens, at))) at += 1;
  return at;
}

function endsClause(text: string): boolean {
  return WRITER.has(text) || REASONS.has(text);
}
