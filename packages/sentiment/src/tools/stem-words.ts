import type { StemOptions } from '@x/core';

/** Longer tokens are no words; some stemmers take very long over them. */
const LONGEST = 60;

/**
 * Reduces words to their stems. A language without a stemmer leaves them as they are; the seed used English rules there,
 * which makes two different words one. Loads the stemmers on first use.
 */
export async function stemWords(
  words: readonly string[],
  { algorithm = 'porter', language = 'en' }: StemOptions = {},
): Promise<readonly string[]> {
  const { PORTER, lancasterStem } = await import('./natural-stemmers.js');
  const base = language.toLowerCase().split('-')[0] ?? 'en';
  const stem = algorithm === 'lancaster' && base === 'en' ? lancasterStem : PORTER.get(base);
  if (stem === undefined) return [...words];
  return words.map((word) => (word === '' || word.length > LONGEST ? word : stem(word.toLowerCase())));
}
