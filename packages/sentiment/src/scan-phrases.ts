import { type Lexicon, phraseCues, phraseValue, ROLE } from './lexicon.js';

/** The longest phrase from a place on: where it ends (exclusive), and the bits of all phrases that end there. */
export interface PhraseMatch {
  end: number;
  cues: number;
}

/** How many filler words a phrase may have between two of its words. */
const MOST_FILLERS = 2;

/**
 * Finds the longest phrase that begins at `index`.
 *
 * @param ids - Word ids of the text in this lexicon, 0 for unknown words.
 * @returns Whether there is one; it is written to `match`.
 */
export function matchPhrase(lexicon: Lexicon, ids: readonly number[], index: number, match: PhraseMatch): boolean {
  match.end = -1;
  match.cues = 0;
  const word = ids[index] ?? 0;
  for (let edge = lexicon.starts[word] ?? 0; edge !== 0; edge = lexicon.edgeNext[edge] ?? 0) {
    walk(lexicon, ids, index + 1, lexicon.edgeTo[edge] ?? 0, match);
  }
  return match.end !== -1;
}

function walk(lexicon: Lexicon, ids: readonly number[], index: number, start: number, match: PhraseMatch): void {
  for (let place = start; place !== 0; place = lexicon.placeSkip[place] ?? 0) {
    const cues = lexicon.placeCues[place] ?? 0;
    if (cues !== 0) {
      if (index > match.end) {
        match.end = index;
        match.cues = cues;
      } else if (index === match.end) match.cues |= phraseValue(match.cues) === undefined ? cues : phraseCues(cues);
    }
    for (let edge = lexicon.placeEdge[place] ?? 0; edge !== 0; edge = lexicon.edgeNext[edge] ?? 0) {
      const wanted = lexicon.edgeWord[edge] ?? 0;
      let at = index;
      for (let fillers = 0; at < ids.length; fillers += 1) {
        const id = ids[at] ?? 0;
        if (id === wanted) {
          walk(lexicon, ids, at + 1, lexicon.edgeTo[edge] ?? 0, match);
          break;
        }
        if (fillers === MOST_FILLERS || ((lexicon.roles[id] ?? 0) & ROLE.filler) === 0) break;
        at += 1;
      }
    }
  }
}
