import { ANY_FOLLOWS, followBit, type Lexicon, phraseCues, phraseMarks, phraseSaid, phraseValue, ROLE } from './lexicon.js';

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
export function matchPhrase(lexicon: Lexicon, ids: readonly number[], index: number, match: PhraseMatch): boolean {
  match.end = -1;
  match.cues = 0;
  match.marks = 0;
  const word = ids[index] ?? 0;
  const follows = lexicon.follows[word] as number;
  if (follows === 0 || (follows !== ANY_FOLLOWS && !mayFollow(lexicon, ids, index + 1, follows))) return false;
  for (let edge = lexicon.starts[word] ?? 0; edge !== 0; edge = lexicon.edgeNext[edge] ?? 0) {
    walk(lexicon, ids, index + 1, lexicon.edgeTo[edge] ?? 0, match);
  }
  return match.end !== -1;
}

/** Whether a word that follows here, fillers skipped, may be a phrase's second; most are not, and that saves the walk. */
function mayFollow(lexicon: Lexicon, ids: readonly number[], index: number, follows: number): boolean {
  const here = ids[index] ?? 0;
  if ((followBit(here) & follows) !== 0) return true;
  if (!isFiller(lexicon, here)) return false;
  const second = ids[index + 1] ?? 0;
  if ((followBit(second) & follows) !== 0) return true;
  return isFiller(lexicon, second) && (followBit(ids[index + 2] ?? 0) & follows) !== 0;
}

function walk(lexicon: Lexicon, ids: readonly number[], index: number, start: number, match: PhraseMatch): void {
  for (let place = start; place !== 0; place = lexicon.placeSkip[place] ?? 0) {
    const bits = lexicon.placeCues[place] ?? 0;
    const cues = phraseSaid(bits);
    if (bits !== cues) {
      match.marks |= phraseMarks(bits);
      match.marksEnd = index;
    }
    if (cues !== 0) {
      if (index > match.end) {
        match.end = index;
        match.cues = cues;
      } else if (index === match.end) match.cues |= phraseValue(match.cues) === undefined ? cues : phraseCues(cues);
    }
    const follows = lexicon.placeFollows[place] as number;
    if (follows === 0) continue;
    // The words that may come next: the one here, and behind fillers up to two more. No edge wants word 0.
    const here = ids[index] ?? 0;
    const second = isFiller(lexicon, here) ? (ids[index + 1] ?? 0) : 0;
    const third = isFiller(lexicon, second) ? (ids[index + 2] ?? 0) : 0;
    if (((followBit(here) | followBit(second) | followBit(third)) & follows) === 0) continue;
    for (let edge = lexicon.placeEdge[place] ?? 0; edge !== 0; edge = lexicon.edgeNext[edge] ?? 0) {
      const wanted = lexicon.edgeWord[edge] as number;
      const skipped = wanted === here ? 0 : wanted === second ? 1 : wanted === third ? 2 : -1;
      if (skipped !== -1) walk(lexicon, ids, index + skipped + 1, lexicon.edgeTo[edge] ?? 0, match);
    }
  }
}

function isFiller({ roles }: Lexicon, id: number): boolean {
  return ((roles[id] as number) & ROLE.filler) !== 0;
}
