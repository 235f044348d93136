import { nearestWord } from '../nearest-word.js';

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  return nearest === undefined ? ` Known: ${known.join(', ')}.` : ` Did you mean "${nearest}"?`;
}
