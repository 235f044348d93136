import type { Lexicon } from './lexicon.js';
import { isNegatedAfter, negated, negatedBy, takeNegator } from './negate.js';
import { WRITTEN } from './tokens.js';
import { boosted, NEGATION_REACH, type Walk } from './walk.js';
import { ROLE, wordRoles, wordValue } from './word-bits.js';

const BOOST = 1.3;
const DAMP = 0.6;
const CAPITALS = 1.25;
const JOINED = 0.3;

/**
 * Reads one word that begins no phrase; returns whether the lexicon knows it.
 *
 * @param bits - The word, as `wordBits` gives it.
 */
export function takeWord(walk: Walk, lexicon: Lexicon, ids: Int32Array, index: number, bits: number): boolean {
  const { found, tokens } = walk;
  const roles = wordRoles(bits);
  const value = wordValue(bits);
  if (roles !== 0) takeRoles(walk, roles, index);
  if (value === 0) return roles !== 0;
  let weight = value;
  if (walk.negations > 0 && index - walk.negatedFrom <= NEGATION_REACH) {
    weight = negatedBy(walk.negations, weight);
    found.hits.push({ kind: 'negation', shown: walk.negatorAt, at: index, end: index + 1, weight: 0, cues: 0 });
  } else if (isNegatedAfter(tokens, lexicon, ids, index)) {
    weight = negated(weight);
    found.negations += 1;
  }
  weight = boosted(walk, weight, index);
  const written = tokens.written[index] as number;
  if (!walk.shouts && (written & WRITTEN.capitals) !== 0) weight *= CAPITALS;
  if ((written & WRITTEN.joined) !== 0) weight *= JOINED;
  found.hits.push({ kind: 'word', shown: index, at: index, end: index + 1, weight, cues: 0 });
  return true;
}

/** Takes in what a word does to the sentence. */
export function takeRoles(walk: Walk, roles: number, index: number): void {
  const { found } = walk;
  if ((roles & ROLE.negator) !== 0) takeNegator(walk, index);
  if ((roles & (ROLE.booster | ROLE.damper)) !== 0) {
    walk.boost = (roles & ROLE.booster) !== 0 ? BOOST : DAMP;
    walk.boostAt = index;
  }
  if ((roles & ROLE.contrast) !== 0) {
    walk.contrastAt = index;
    walk.negations = 0;
    found.contrasts += 1;
  }
  if ((roles & ROLE.second) !== 0) found.second += 1;
  if ((roles & ROLE.third) !== 0) found.third += 1;
  if ((roles & ROLE.request) !== 0) found.requests += 1;
}
