import { noAscriptions, takeMarks, withdrawTheirs } from './ascribe-feelings.js';
import { Findings } from './findings.js';
import type { Lexicon } from './lexicon.js';
import { idsOf } from './look-up-words.js';
import { MASKS } from './mask-text.js';
import { carryNegation } from './negate.js';
import { matchPhrase, type PhraseMatch } from './scan-phrases.js';
import { takePhrase } from './take-phrase.js';
import { takeSign } from './take-sign.js';
import { takeWord } from './take-word.js';
import { KIND, type Tokens, textOf } from './tokens.js';
import { Walk } from './walk.js';
import { wordMarks } from './word-bits.js';

/**
 * Finds the words, phrases, emoji and negations of a text.
 *
 * @param lexicons - The languages to read it in; the first that knows a word decides.
 */
export function scanFeelings(tokens: Tokens, lexicons: readonly Lexicon[]): Findings {
  const found = new Findings();
  const idLists = lexicons.map((lexicon, which) => idsOf(tokens, lexicon, which));
  const { size, kinds } = tokens;
  const walk = new Walk(tokens, found);
  const match: PhraseMatch = { end: -1, cues: 0, marks: 0, marksEnd: 0 };
  const ascriptions = noAscriptions();

  for (let index = 0; index < size; ) {
    const kind = kinds[index] as number;
    if (kind === KIND.mask) {
      const mask = textOf(tokens, index);
      if (mask === MASKS.code || mask === MASKS.log || mask === MASKS.quote) found.masked += 1;
      index += 1;
      continue;
    }
    if (kind === KIND.emoji || kind === KIND.face) {
      takeSign(found, tokens, index);
      index += 1;
      continue;
    }
    if (kind === KIND.word || kind === KIND.cjk) found.words += 1;
    let end = index + 1;
    let isKnown = false;
    for (let which = 0; which < lexicons.length && !isKnown; which += 1) {
      const lexicon = lexicons[which] as Lexicon;
      const ids = idLists[which] as Int32Array;
      const word = lexicon.words[ids[index] as number] as number;
      if (word === 0) continue;
      let marks = wordMarks(word);
      if (matchPhrase(lexicon, ids, index, match)) {
        takePhrase(walk, lexicon, ids, index, match);
        end = match.end;
        isKnown = true;
        for (let at = index + 1; at < end; at += 1) marks |= wordMarks(lexicon.words[ids[at] as number] as number);
      } else isKnown = takeWord(walk, lexicon, ids, index, word);
      marks |= match.marks;
      if (marks !== 0) takeMarks(ascriptions, found, tokens, index, Math.max(end, match.marksEnd), marks);
    }
    if (walk.negations > 0) carryNegation(walk, index);
    index = end;
  }
  withdrawTheirs(ascriptions, found, tokens);
  weighContrast(found, walk.contrastAt);
  for (const { weight } of found.hits) {
    if (weight > 0) found.positive += weight;
    else found.negative -= weight;
  }
  return found;
}

/** After a "but" lies the weight of the sentence, when both sides say something. VADER's rule with milder figures. */
function weighContrast(found: Findings, contrastAt: number): void {
  if (contrastAt === -1) return;
  const hasBefore = found.hits.some((hit) => hit.at < contrastAt && hit.weight !== 0);
  const hasAfter = found.hits.some((hit) => hit.at > contrastAt && hit.weight !== 0);
  if (!hasBefore || !hasAfter) return;
  for (const hit of found.hits) hit.weight *= hit.at < contrastAt ? 0.6 : 1.3;
}
