import type { ContextSigns } from './context-signs.js';
import type { Findings } from './findings.js';
import { hashNext, hashOf, STEM_LENGTH } from './hash-text.js';
import { CUES } from './lexicon/language-source.js';
import type { RuleSigns } from './rule-signs.js';
import { KIND, type Tokens, textOf } from './tokens.js';

/** The heads of the linear model. */
export const HEADS = ['frustrated', 'confused', 'satisfied', 'positive', 'negative'] as const;
export type Head = (typeof HEADS)[number];

const CUE_COUNT = CUES.length;
/** Names of the dense features, in order; cues come first, each with a second one for "twice or more". */
export const DENSE: readonly string[] = [
  ...CUES,
  ...CUES.map((cue) => `${cue}-twice`),
  'positive',
  'negative',
  'balance-up',
  'balance-down',
  'strongest-up',
  'strongest-down',
  'only-up',
  'only-down',
  'both',
  'nothing',
  'sarcasm',
  'polite-closing',
  'shouting',
  'exclaims',
  'exclaims-much',
  'asks',
  'asks-loudly',
  'dots',
  'ends-asking',
  'opens-asking',
  'masked',
  'second',
  'third',
  'requests',
  'negations',
  'contrast',
  'one-word',
  'short',
  'middle',
  'long',
  'very-long',
  'repeats',
  'told-before',
  'down-second',
  'down-third',
  'up-second',
  'again-failure',
  'failure-exclaims',
  'up-short',
  'down-short',
  'asks-puzzled',
  'asks-nothing',
  'shouts-down',
  'thanks-request',
  'contrast-down',
];

/** The dense features of a text, in the order of {@link DENSE}. */
export function denseFeatures(tokens: Tokens, found: Findings, signs: RuleSigns, context: ContextSigns): readonly number[] {
  const out = NOTHING.slice();
  let at = 0;
  const put = (value: number): void => {
    out[at] = value;
    at += 1;
  };
  const flag = (value: boolean): void => put(value ? 1 : 0);
  const { cues, positive, negative } = found;
  for (let cue = 0; cue < CUE_COUNT; cue += 1) flag((cues[cue] ?? 0) > 0);
  for (let cue = 0; cue < CUE_COUNT; cue += 1) flag((cues[cue] ?? 0) > 1);
  const sum = positive - negative;
  const balance = sum / Math.sqrt(sum * sum + 15);
  let up = 0;
  let down = 0;
  for (const { weight } of found.hits) {
    if (weight > up) up = weight;
    if (weight < down) down = weight;
  }
  const isUp = positive > 0.5;
  const isDown = negative > 0.5;
  const has = (name: number): boolean => (cues[name] ?? 0) > 0;
  put(Math.log1p(positive) / 2);
  put(Math.log1p(negative) / 2);
  put(Math.max(0, balance));
  put(Math.max(0, -balance));
  put(up / 4);
  put(-down / 4);
  flag(isUp && !isDown);
  flag(isDown && !isUp);
  flag(isDown && isUp);
  flag(!isDown && !isUp);
  flag(signs.sarcasm);
  flag(signs.politeClosing);
  flag(signs.shouting);
  flag(signs.exclamations > 0);
  flag(signs.exclamations > 2);
  flag(signs.questions > 0);
  flag(signs.loudQuestions > 0);
  flag(signs.dots > 0);
  flag(signs.endsAsking);
  flag(signs.opensAsking);
  flag(found.masked > 0);
  flag(found.second > 0);
  flag(found.third > 0);
  flag(found.requests > 0);
  flag(found.negations > 0);
  flag(found.contrasts > 0);
  const { size } = tokens;
  flag(found.words <= 1);
  flag(size <= 4);
  flag(size > 4 && size <= 12);
  flag(size > 12 && size <= 30);
  flag(size > 30);
  flag(context.repeats);
  flag(context.failures > 0 && context.claimedFixed);
  flag(isDown && found.second > 0);
  flag(isDown && found.third > 0);
  flag(isUp && found.second > 0);
  flag(has(AGAIN) && has(FAILURE));
  flag(has(FAILURE) && signs.exclamations > 0);
  flag(isUp && size <= 6);
  flag(isDown && size <= 6);
  flag(has(PUZZLED) && signs.questions + signs.loudQuestions > 0);
  flag(signs.questions > 0 && !isUp && !isDown);
  flag(signs.shouting && (isDown || found.second > 0 || found.negations > 0));
  flag(has(THANKS) && has(REQUEST));
  flag(isDown && found.contrasts > 0);
  return out;
}

// A list that has held fractions: a copy of one that has not would be made anew for the first of them.
const NOTHING: readonly number[] = /* @__PURE__ */ DENSE.map(() => 0.5).fill(0);
const AGAIN = CUES.indexOf('again');
const FAILURE = CUES.indexOf('failure');
const PUZZLED = CUES.indexOf('puzzled');
const THANKS = CUES.indexOf('thanks');
const REQUEST = CUES.indexOf('request');

/** Only so many tokens are hashed: a feeling that needs more is not in the n-grams. */
const MOST_TOKENS = 400;
/** They stand for what is before and behind a text. */
const TEXT_START = /* @__PURE__ */ hashOf('^', 1);
const TEXT_END = /* @__PURE__ */ hashOf('$', 1);

/** What takes the places of a text's n-grams. An object, since engines run closures that are made anew for each text slowly. */
export interface PlaceSink {
  add(place: number): void;
}

/**
 * Hashes words, pairs of words and beginnings of words of a text.
 *
 * @param bits - The table has `2 ** bits` places.
 * @param sink - Gets each place once.
 */
export function hashedFeatures(tokens: Tokens, bits: number, sink: PlaceSink): void {
  const { kinds, hashes, stems, lengths } = tokens;
  const mask = 2 ** bits - 1;
  const seen = nothingSeen(tokens, (mask >>> 5) + 1);
  const size = Math.min(tokens.size, MOST_TOKENS);
  let before = TEXT_START;
  for (let index = 0; index < size; index += 1) {
    const whole = hashes[index] as number;
    addOnce(seen, mask, whole, sink);
    addOnce(seen, mask, Math.imul(before, 0x85ebca6b) ^ whole, sink);
    before = whole;
    if (kinds[index] === KIND.word) {
      // A short word is its own stem.
      if ((lengths[index] as number) > STEM_LENGTH) addOnce(seen, mask, stems[index] as number, sink);
    } else if (kinds[index] === KIND.cjk && index + 2 < size) {
      const second = hashOf(textOf(tokens, index + 1), 7);
      const third = hashOf(textOf(tokens, index + 2), 7);
      addOnce(seen, mask, hashNext(hashNext(whole, 0) ^ second, 0) ^ third, sink);
    }
  }
  if (size > 0) {
    addOnce(seen, mask, (hashes[0] as number) ^ 0x5bd1e995, sink);
    addOnce(seen, mask, before ^ 0x27d4eb2f, sink);
    addOnce(seen, mask, Math.imul(before, 0x85ebca6b) ^ TEXT_END, sink);
  }
}

/** The tokens' own room, empty: making a typed array of this size takes longer than all that is asked of it. */
function nothingSeen(tokens: Tokens, cells: number): Int32Array {
  if (tokens.seen.length === cells) tokens.seen.fill(0);
  else tokens.seen = new Int32Array(cells);
  return tokens.seen;
}

function addOnce(seen: Int32Array, mask: number, hash: number, sink: PlaceSink): void {
  const place = mix(hash) & mask;
  const cell = place >>> 5;
  const bit = 1 << (place & 31);
  const held = seen[cell] as number;
  if ((held & bit) !== 0) return;
  seen[cell] = held | bit;
  sink.add(place);
}

function mix(hash: number): number {
  let h = hash ^ (hash >>> 15);
  h = Math.imul(h, 0x2c1b3c6d);
  return h ^ (h >>> 13);
}
