import type { NormalizeOptions } from '@x/core';
import { normalise } from '../normalise.js';
import { splitText } from './split-text.js';
import { stemWords } from './stem-words.js';
import { stopWords } from './stop-words.js';

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ["won't", 'will not'],
  ["can't", 'can not'],
  ["shan't", 'shall not'],
  ["let's", 'let us'],
  ["y'all", 'you all'],
]);
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/n't$/, ' not'],
  [/'re$/, ' are'],
  [/'ll$/, ' will'],
  [/'ve$/, ' have'],
  [/'m$/, ' am'],
];
/** After these `'s` is a verb; after a name it is a possession and stays. */
const BEFORE_IS = /^(?:it|that|what|who|where|when|how|he|she|there|here)'s$/;

/** Lower case, no punctuation and contractions written out by default; the rest on request. */
export async function normaliseWords(text: string, options: NormalizeOptions = {}): Promise<string> {
  const { toLowerCase = true, removePunctuation = true, expandContractions = true, language = 'en' } = options;
  let plain = normalise(text);
  if (options.stripHtml) plain = plain.replace(/<[^<>]{0,500}>/g, ' ');
  if (toLowerCase) plain = plain.toLowerCase();
  const usesWords =
    removePunctuation || expandContractions || options.removeStopWords || options.stem || options.replaceNumbersWith !== undefined;
  if (!usesWords) return plain.replace(/\s+/g, ' ').trim();
  let words = splitText(plain, { toLowerCase: false, removePunctuation, language });
  if (expandContractions) words = words.flatMap((word) => expand(word).split(' '));
  if (options.removeStopWords) {
    const stop = stopWords(language);
    words = words.filter((word) => !stop.has(word.toLowerCase()));
  }
  const { replaceNumbersWith } = options;
  if (replaceNumbersWith !== undefined) words = words.map((word) => (/^\d+(?:[.,]\d+)*$/.test(word) ? replaceNumbersWith : word));
  if (options.stem) words = await stemWords(words, { language });
  return words.filter((word) => word !== '').join(' ');
}

function expand(word: string): string {
  const lower = word.toLowerCase();
  const whole = IRREGULAR.get(lower);
  if (whole !== undefined) return whole;
  if (BEFORE_IS.test(lower)) return `${word.slice(0, -2)} is`;
  const ending = ENDINGS.find(([pattern]) => pattern.test(lower));
  return ending === undefined ? word : word.replace(ending[0], ending[1]);
}
