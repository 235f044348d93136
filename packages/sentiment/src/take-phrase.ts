import { addCues } from './findings.js';
import { CUE_VALUES, CUES } from './lexicon/language-source.js';
import type { Lexicon } from './lexicon.js';
import { goesOn, isNegatedAfter, negated } from './negate.js';
import { lowestCue, phraseCues, phraseValue } from './phrase-bits.js';
import type { PhraseMatch } from './scan-phrases.js';
import { takeRoles } from './take-word.js';
import { boosted, NEGATION_REACH, type Walk } from './walk.js';
import { ROLE, wordRoles, wordValue } from './word-bits.js';

/** By cue, in the order of `CUES`. */
const WEIGHTS: readonly number[] = /* @__PURE__ */ CUES.map((cue) => CUE_VALUES[cue]);

/** Reads the phrase that was found at `index`. */
export function takePhrase(walk: Walk, lexicon: Lexicon, ids: Int32Array, index: number, { end, cues: bits }: PhraseMatch): void {
  const { found, tokens } = walk;
  const cues = phraseCues(bits);
  let value = phraseValue(bits) ?? weightiest(cues);
  const isOne = end === index + 1;
  const word = lexicon.words[ids[index] as number] as number;
  const roles = wordRoles(word);
  if (isOne) {
    // A phrase of one word keeps the word's own value and its role in the sentence.
    value = wordValue(word) || value;
    takeRoles(walk, roles, index);
  } else if ((roles & ROLE.second) !== 0) found.second += 1;
  const isNegated =
    (walk.negations % 2 === 1 && index - walk.negatedFrom <= NEGATION_REACH + 1) ||
    (value > 0 && isNegatedAfter(tokens, lexicon, ids, end - 1));
  const given = isNegated ? 0 : cues;
  addCues(found, given, index);
  if (!isOne && (roles & ROLE.negator) !== 0 && goesOn(tokens, end)) {
    // "no issues or errors": what the phrase began with goes on behind it.
    walk.negations = 1;
    walk.negatedFrom = end - 1;
    walk.negatorAt = index;
  }
  if (value !== 0) {
    const weight = boosted(walk, isNegated ? negated(value) : value, index);
    found.hits.push({ kind: isOne ? 'word' : 'phrase', shown: index, at: index, end, weight, cues: given });
  } else if (!isOne) found.hits.push({ kind: 'phrase', shown: index, at: index, end, weight: 0, cues: given });
}

/** The value of the cue that has most of it; 0 for none. */
function weightiest(cues: number): number {
  let value = 0;
  for (let rest = cues; rest !== 0; rest &= rest - 1) {
    const weight = WEIGHTS[lowestCue(rest)] as number;
    if (Math.abs(weight) > Math.abs(value)) value = weight;
  }
  return value;
}
