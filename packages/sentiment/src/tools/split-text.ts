import type { TokenizeOptions } from '@x/core';
import { normalise } from '../normalise.js';
import { NotSupportedError } from '../not-supported-error.js';

/**
 * Splits a text into words or sentences by the rules of its language (`Intl.Segmenter`), so that accents, contractions,
 * Cyrillic, Chinese and Japanese survive. The seed's splitter cut `café` to `caf` and dropped other scripts.
 *
 * @throws {@link NotSupportedError} another type.
 */
export function splitText(
  text: string,
  { type = 'word', toLowerCase = type === 'word', removePunctuation = type === 'word', language = 'en' }: TokenizeOptions = {},
): readonly string[] {
  if (type !== 'word' && type !== 'sentence') throw new NotSupportedError({ what: 'This type of token', instead: 'Use word or sentence.' });
  const normal = normalise(text);
  if (type === 'sentence') return splitSentences(normal, language).map((sentence) => (toLowerCase ? sentence.toLowerCase() : sentence));
  const pieces = [...new Intl.Segmenter(localeOf(language), { granularity: 'word' }).segment(normal)];
  const words = pieces.flatMap(({ segment, isWordLike }) => (isWordLike || (!removePunctuation && segment.trim() !== '') ? [segment] : []));
  return toLowerCase ? words.map((word) => word.toLowerCase()) : words;
}

/** Titles and shortenings after which a full stop ends no sentence. */
const SHORTENED = /(?:^|[\s(])(?:dr|mr|mrs|ms|prof|st|sr|jr|vs|etc|e\.g|i\.e|z\.b|bzw|ca|no|fig|inc|ltd|approx)\.$/i;

export function splitSentences(text: string, language = 'en'): readonly string[] {
  const sentences: string[] = [];
  let open = '';
  for (const { segment } of new Intl.Segmenter(localeOf(language), { granularity: 'sentence' }).segment(text)) {
    open += segment;
    if (SHORTENED.test(open.trimEnd())) continue;
    if (open.trim() !== '') sentences.push(open.trim());
    open = '';
  }
  if (open.trim() !== '') sentences.push(open.trim());
  return sentences;
}

/** The tag itself where `Intl` takes it, else English. */
function localeOf(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
