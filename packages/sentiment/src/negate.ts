import type { Lexicon } from './lexicon.js';
import { KIND, type Tokens, textOf, textsOf } from './tokens.js';
import { NEGATION_REACH, type Walk } from './walk.js';
import { ROLE, wordRoles, wordValue } from './word-bits.js';

/** What a negation leaves: "not good" is weaker than "bad", "not bad" much weaker than "good". VADER's -0.74, and ours. */
const NEGATED = { positive: -0.74, negative: -0.4, twice: 0.8 } as const;

const POSTFIX_NEGATION: ReadonlySet<string> = new Set(['de', 'nl', 'fr', 'ja']);
/** They carry a negation on: "no issues or errors", "neither problems nor complaints". */
const LINKS: ReadonlySet<string> = new Set(['or', 'nor']);
const LIST_NEGATORS: ReadonlySet<string> = new Set(['no', 'zero', 'without', 'neither']);
/** What may stand between a Japanese word and its negation, and the negation. */
const JAPANESE_NEGATION = /^(?:[くもはがり]|じゃ|では|でも|って|られ|れ)*(?:ない|なく|なかった|ません|ありません)/;

/** What a negation leaves of a weight. */
export function negated(weight: number): number {
  return weight * (weight > 0 ? NEGATED.positive : NEGATED.negative);
}

/** What the negations in force leave of a weight. */
export function negatedBy(negations: number, weight: number): number {
  return negations % 2 === 0 ? weight * NEGATED.twice : negated(weight);
}

/** Takes a negator in: it begins a negation, carries one on or adds to it. */
export function takeNegator(walk: Walk, index: number): void {
  if (walk.negations === 0 || index - walk.negatedFrom > NEGATION_REACH) {
    walk.negations = 1;
    walk.negatorAt = index;
    walk.negatedFrom = index;
  } else if (LINKS.has(textOf(walk.tokens, index))) walk.negatedFrom = index;
  else walk.negations += 1;
  walk.found.negations += 1;
}

/** Lets the negation in force end at a stop, unless it is the comma of a list; a link carries it on. */
export function carryNegation(walk: Walk, index: number): void {
  const text = textOf(walk.tokens, index);
  if (walk.tokens.kinds[index] === KIND.mark && isStop(text)) {
    if (isListComma(walk, index)) walk.negatedFrom = index;
    else walk.negations = 0;
  } else if (index - walk.negatedFrom <= NEGATION_REACH && LINKS.has(text)) walk.negatedFrom = index;
}

/** "no issues or errors", "no bugs, crashes or complaints": a link follows at once, or a comma and soon a link. */
export function goesOn(tokens: Tokens, from: number): boolean {
  const text = textOf(tokens, from);
  return LINKS.has(text) || (text === ',' && textsOf(tokens, from + 1, from + 4).some((one) => LINKS.has(one)));
}

/** German and Dutch often, French and Japanese always, put the negation behind: `gefällt mir nicht`. */
export function isNegatedAfter(tokens: Tokens, { language, words }: Lexicon, ids: Int32Array, index: number): boolean {
  if (!POSTFIX_NEGATION.has(language)) return false;
  if (language === 'ja') return JAPANESE_NEGATION.test(textsOf(tokens, index + 1, index + 8).join(''));
  for (let at = index + 1; at <= index + 3 && at < tokens.size; at += 1) {
    if (tokens.kinds[at] === KIND.mark) return false;
    if ((wordRoles(words[ids[at] as number] as number) & ROLE.negator) === 0) continue;
    if (language === 'fr' || isEnd(tokens, at + 1)) return true;
    // "werkt niet goed": the word behind the negation may close the clause.
    return isEnd(tokens, at + 2) && wordValue(words[ids[at + 1] as number] as number) > 0;
  }
  return false;
}

function isEnd(tokens: Tokens, at: number): boolean {
  return at >= tokens.size || tokens.kinds[at] === KIND.mark;
}

/** The comma of a list under one negation: "no bugs, crashes or complaints". */
function isListComma({ tokens, negatorAt, negatedFrom }: Walk, index: number): boolean {
  if (index - negatedFrom > 3 || textOf(tokens, index) !== ',' || !LIST_NEGATORS.has(textOf(tokens, negatorAt))) return false;
  return textsOf(tokens, index + 1, index + 5).some((text) => LINKS.has(text) || text === 'and');
}

function isStop(mark: string): boolean {
  return '.,;:!?…。、-—()'.includes(mark.charAt(0));
}
