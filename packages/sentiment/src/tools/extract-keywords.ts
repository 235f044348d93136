import type { KeywordOptions } from '@x/core';
import { splitSentences, splitText } from './split-text.js';
import { stopWords } from './stop-words.js';
import { countWords } from './word-vectors.js';

/** The most frequent words, or with `rake` the phrases whose words have the most company. */
export function extractKeywordsFrom(
  text: string,
  { maxKeywords = 5, method = 'frequency', language = 'en' }: KeywordOptions,
): readonly string[] {
  const ranked = method === 'rake' ? rake(text, language) : frequency(text, language);
  return ranked.slice(0, Math.max(0, maxKeywords));
}

function frequency(text: string, language: string): readonly string[] {
  const stop = stopWords(language);
  const words = splitText(text, { language }).filter((word) => !stop.has(word) && !/^\d+$/.test(word) && [...word].length > 1);
  return [...countWords(words)].sort(([, a], [, b]) => b - a).map(([word]) => word);
}

/** Rapid automatic keyword extraction, Rose et al. (2010), doi:10.1002/9780470689646.ch1. */
function rake(text: string, language: string): readonly string[] {
  const stop = stopWords(language);
  const phrases: string[][] = [];
  for (const sentence of splitSentences(text, language)) {
    let phrase: string[] = [];
    for (const token of splitText(sentence, { language, removePunctuation: false })) {
      if (stop.has(token) || !/[\p{L}\p{N}]/u.test(token)) {
        if (phrase.length > 0) phrases.push(phrase);
        phrase = [];
      } else phrase.push(token);
    }
    if (phrase.length > 0) phrases.push(phrase);
  }
  const counts = countWords(phrases.flat());
  const degrees = new Map<string, number>();
  for (const phrase of phrases) for (const word of phrase) degrees.set(word, (degrees.get(word) ?? 0) + phrase.length);
  const score = (phrase: readonly string[]): number =>
    phrase.reduce((sum, word) => sum + (degrees.get(word) ?? 0) / (counts.get(word) ?? 1), 0);
  const scores = new Map(phrases.map((phrase) => [phrase.join(' '), score(phrase)]));
  return [...scores].sort(([, a], [, b]) => b - a).map(([phrase]) => phrase);
}
