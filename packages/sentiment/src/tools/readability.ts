import type { ReadabilityOptions, ReadabilityResult } from '@x/core';
import { NotSupportedError } from '../not-supported-error.js';
import { splitSentences, splitText } from './split-text.js';

/**
 * Flesch's reading ease and Kincaid's grade, for English.
 *
 * @remarks Ease 206.835 - 1.015 W/S - 84.6 Y/W, Flesch (1948), doi:10.1037/h0057532; grade 0.39 W/S + 11.8 Y/W - 15.59,
 * Kincaid et al. (1975). Syllables are counted by vowel groups. A text without words scores 0.
 * @throws {@link NotSupportedError} another formula.
 */
export function readabilityOf(text: string, { formula = 'flesch_kincaid_reading_ease' }: ReadabilityOptions = {}): ReadabilityResult {
  if (formula !== 'flesch_kincaid_reading_ease' && formula !== 'flesch_kincaid_grade_level') {
    throw new NotSupportedError({
      what: 'Readability by this formula',
      instead: 'Use flesch_kincaid_reading_ease or flesch_kincaid_grade_level.',
    });
  }
  const words = splitText(text).filter((word) => /\p{L}/u.test(word));
  if (words.length === 0) return { score: 0, interpretation: 'no text' };
  const perSentence = words.length / Math.max(1, splitSentences(text).length);
  const perWord = words.reduce((sum, word) => sum + syllables(word), 0) / words.length;
  const gradeLevel = 0.39 * perSentence + 11.8 * perWord - 15.59;
  const ease = 206.835 - 1.015 * perSentence - 84.6 * perWord;
  const score = formula === 'flesch_kincaid_grade_level' ? gradeLevel : ease;
  return { score, interpretation: BANDS.find(([least]) => ease >= least)?.[1] ?? 'very difficult', gradeLevel };
}

/** Flesch's own names for the bands of reading ease. */
const BANDS: readonly (readonly [least: number, name: string])[] = [
  [90, 'very easy'],
  [80, 'easy'],
  [70, 'fairly easy'],
  [60, 'standard'],
  [50, 'fairly difficult'],
  [30, 'difficult'],
];

function syllables(word: string): number {
  const plain = word
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/(?:[^laeiouy]es|[^laeiouy]e|ed)$/, (ending) =>
      /^[td]ed$/.test(ending) ? ending : ending[0] === 'e' ? '' : (ending[0] ?? ''),
    );
  return Math.max(1, plain.match(/[aeiouy]+/g)?.length ?? 1);
}
