import type { Fact } from './facts.js';
import { renderFacts } from './facts.js';
import { findLiterals, type Literal } from './literals.js';
import { cutBefore } from './well-formed.js';

/** How long a shortened fact without a literal may be, in characters. */
const SHORT_FACT = 80;
/** Shorter literals, such as `12`, are too common to tell that a fact was said before. */
const TELLING_LITERAL = 5;
/** A user who tells of something, though no number or name stands in it. */
const STATEMENT =
  /\b(?:my|our|mine|i'?m|i am|i have|i've|i'?d (?:like|prefer|rather)|i (?:just )?(?:wanted|tried|ordered|bought|booked|got|paid|asked|sent|live|work|prefer|like|love|hate|need|want|use|own|drive|study|take|speak|moved|was)|looking for|trying to|wanted to|we (?:are|have|use|need|want|live)|call me|allergic|prefers?|always|never|must|remember|keep in mind|important|called|named|is|are|was)\b|[:=]|[\u0080-\uffff]{4}/i;

export interface BoundedLedger {
  readonly facts: readonly Fact[];
  /** Facts that left because there was no room, oldest first. */
  readonly dropped: readonly Fact[];
}

/**
 * Adds facts to a ledger and keeps it within its size.
 *
 * A fact that is said again moves to the end; what an assistant or a tool repeats is not kept twice. When there is no
 * room, in this order until there is: small talk and finished work leave, the oldest first; facts shrink to their
 * literals, the oldest first; facts of tools and assistants leave; at last facts of the user and decisions, the oldest first.
 */
export function growLedger(
  ledger: readonly Fact[],
  added: readonly Fact[],
  { maxTokens, countText }: { readonly maxTokens: number; readonly countText: (text: string) => number },
): BoundedLedger {
  const entries: Entry[] = distinct([...ledger, ...added]).map((entry) => ({ weight: weightOf(entry), tokens: 0, ...entry }));
  const size = (fact: Fact): number => countText(renderFacts([fact])) + 1 - HEADING_SHARE;
  let total = 0;
  for (const entry of entries) {
    entry.tokens = size(entry.fact);
    total += entry.tokens;
  }
  const gone = new Set<Fact>();
  const drop = (weight: number): void => {
    for (const entry of entries) {
      if (total <= maxTokens) return;
      if (entry.weight !== weight || gone.has(entry.fact)) continue;
      gone.add(entry.fact);
      total -= entry.tokens;
    }
  };
  const shrink = (): void => {
    for (const entry of entries) {
      if (total <= maxTokens) return;
      if (gone.has(entry.fact)) continue;
      const fact = { ...entry.fact, text: shortFact(entry.fact.text) };
      const tokens = size(fact);
      if (tokens >= entry.tokens) continue;
      total -= entry.tokens - tokens;
      entry.fact = fact;
      entry.tokens = tokens;
    }
  };
  drop(0);
  shrink();
  drop(1);
  drop(2);
  return { facts: entries.filter(({ fact }) => !gone.has(fact)).map(({ fact }) => fact), dropped: [...gone] };
}

/** Every fact is counted with its heading, which it mostly shares with its neighbours. */
const HEADING_SHARE = 2;

interface Told {
  readonly fact: Fact;
  readonly literals: readonly Literal[];
}

interface Entry extends Told {
  fact: Fact;
  readonly weight: 0 | 1 | 2;
  tokens: number;
}

function distinct(facts: readonly Fact[]): readonly Told[] {
  const byText = new Map<string, Told>();
  const told = new Set<string>();
  for (const fact of facts) {
    const key = fact.text.toLowerCase();
    const literals = fact.kind === 'done' ? [] : findLiterals(fact.text);
    const telling: string[] = [];
    for (const { strong, start, end } of literals) if (strong && end - start >= TELLING_LITERAL) telling.push(key.slice(start, end));
    const isEcho = fact.kind === 'fact' && (fact.by === 'assistant' || fact.by === 'tool') && telling.length > 0;
    if (isEcho && !byText.has(key) && telling.every((literal) => told.has(literal))) continue;
    for (const literal of telling) told.add(literal);
    byText.delete(key);
    byText.set(key, { fact, literals });
  }
  return [...byText.values()];
}

/** 2: leaves last. 1: before that. 0: first. */
function weightOf({ fact: { kind, by, text }, literals }: Told): 0 | 1 | 2 {
  if (by === 'note') return 2;
  if (kind === 'done') return 0;
  if (by === 'tool') return 1;
  const isStrong = literals.some(({ strong }) => strong);
  if (kind !== 'fact') return literals.length > 0 ? 2 : 1;
  if (by === 'assistant') return isStrong ? 1 : 0;
  if (isStrong) return 2;
  return STATEMENT.test(text) ? 1 : 0;
}

/** The literals of a fact, each with the two or three words before it. */
export function shortFact(text: string): string {
  const all = findLiterals(text);
  const literals = all.some(({ strong }) => strong) ? all.filter(({ strong }) => strong) : all;
  if (literals.length === 0) return text.length <= SHORT_FACT ? text : `${text.slice(0, cutBefore(text, SHORT_FACT - 1))}…`;
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of literals) {
    const words = text.slice(at, start).trim().split(' ');
    pieces.push(words.length > 4 ? `… ${words.slice(-3).join(' ')}` : words.join(' '), text.slice(start, end));
    at = end;
  }
  return pieces.filter((piece) => piece !== '').join(' ');
}
