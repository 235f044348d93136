import type { Lexicon } from './lexicon.js';
import { phraseCues, phraseMarkBits, phraseMarks, phraseSaid, phraseValue } from './phrase-bits.js';
import { behind, mayFollow } from './phrase-pairs.js';
import { ROLE, wordBegins, wordRoles } from './word-bits.js';

/** The longest phrase from a place on: where it ends (exclusive), and the bits of all phrases that end there. */
export interface PhraseMatch {
  end: number;
  cues: number;
  /** The marks of all phrases from that place on, and where the longest of them ends. */
  marks: number;
  marksEnd: number;
}

/**
 * Finds the longest phrase that begins at `index`.
 *
 * @param ids - Word ids of the text in this lexicon, 0 for unknown words.
 * @returns Whether there is one; it is written to `match`.
 */
export function matchPhrase(lexicon: Lexicon, ids: Int32Array, index: number, match: PhraseMatch): boolean {
  match.end = -1;
  match.cues = 0;
  match.marks = 0;
  match.marksEnd = 0;
  const word = ids[index] as number;
  if (!wordBegins(lexicon.words[word] as number)) return false;
  if (goesOn(lexicon, ids, index + 1, word)) return walkAll(lexicon, ids, index, match);
  const alone = lexicon.alone[word] as number;
  if (alone === 0) return false;
  match.marks = phraseMarks(alone);
  match.marksEnd = index + 1;
  match.cues = phraseSaid(alone);
  if (match.cues === 0) return false;
  match.end = index + 1;
  return true;
}

/** What a word says when nothing that follows belongs to a phrase of it; for {@link Lexicon.alone}. */
export function saidAlone(lexicon: Lexicon, word: number): number {
  const match: PhraseMatch = { end: -1, cues: 0, marks: 0, marksEnd: 0 };
  walkAll(lexicon, new Int32Array([word, 0, 0, 0]), 0, match);
  return match.cues | phraseMarkBits(match.marks);
}

function walkAll(lexicon: Lexicon, ids: Int32Array, index: number, match: PhraseMatch): boolean {
  const word = ids[index] as number;
  for (let edge = lexicon.starts[word] as number; edge !== 0; edge = lexicon.edgeNext[edge] as number) {
    walk(lexicon, ids, index + 1, lexicon.edgeTo[edge] as number, match);
  }
  return match.end !== -1;
}

/** Whether a word that stands here, or behind fillers, may follow; most do not, and that saves walking the edges. */
function goesOn(lexicon: Lexicon, ids: Int32Array, index: number, before: number): boolean {
  const here = ids[index] as number;
  if (here === 0) return false;
  if (mayFollow(lexicon, before, here)) return true;
  if (!isFiller(lexicon, here)) return false;
  const second = ids[index + 1] as number;
  return mayFollow(lexicon, before, second) || (isFiller(lexicon, second) && mayFollow(lexicon, before, ids[index + 2] as number));
}

function walk(lexicon: Lexicon, ids: Int32Array, index: number, start: number, match: PhraseMatch): void {
  for (let place = start; place !== 0; place = lexicon.placeSkip[place] as number) {
    const bits = lexicon.placeCues[place] as number;
    const cues = phraseSaid(bits);
    if (bits !== cues) {
      match.marks |= phraseMarks(bits);
      if (index > match.marksEnd) match.marksEnd = index;
    }
    if (cues !== 0) {
      if (index > match.end) {
        match.end = index;
        match.cues = cues;
      } else if (index === match.end) match.cues |= phraseValue(match.cues) === undefined ? cues : phraseCues(cues);
    }
    const first = lexicon.placeEdge[place] as number;
    if (first === 0 || !goesOn(lexicon, ids, index, behind(place))) continue;
    // The words that may come next: the one here, and behind fillers up to two more. No edge wants word 0.
    const here = ids[index] as number;
    const second = isFiller(lexicon, here) ? (ids[index + 1] as number) : 0;
    const third = isFiller(lexicon, second) ? (ids[index + 2] as number) : 0;
    for (let edge = first; edge !== 0; edge = lexicon.edgeNext[edge] as number) {
      const wanted = lexicon.edgeWord[edge] as number;
      const skipped = wanted === here ? 0 : wanted === second ? 1 : wanted === third ? 2 : -1;
      if (skipped !== -1) walk(lexicon, ids, index + skipped + 1, lexicon.edgeTo[edge] as number, match);
    }
  }
}

function isFiller({ words }: Lexicon, id: number): boolean {
  return (wordRoles(words[id] as number) & ROLE.filler) !== 0;
}
