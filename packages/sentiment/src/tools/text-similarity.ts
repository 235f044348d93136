import type { SimilarityOptions } from '@x/core';
import { NotSupportedError } from '../not-supported-error.js';
import { splitText } from './split-text.js';
import { stemWords } from './stem-words.js';
import { stopWords } from './stop-words.js';
import { cosine, countWords, inverseFrequencies } from './word-vectors.js';

/**
 * 0 to 1. Two empty texts are 1 alike by `jaccard` and `levenshtein`, 0 by `cosine_tfidf`, as in the seed.
 *
 * @throws {@link NotSupportedError} another method.
 */
export async function textSimilarity(
  a: string,
  b: string,
  { method = 'cosine_tfidf', stem, removeStopWords, language = 'en' }: SimilarityOptions,
): Promise<number> {
  if (method === 'levenshtein') return 1 - editDistance(a, b) / Math.max(1, [...a].length, [...b].length);
  const isCosine = method === 'cosine_tfidf';
  if (!isCosine && method !== 'jaccard') {
    throw new NotSupportedError({
      what: 'Similarity by this method',
      instead: 'Use cosine_tfidf, jaccard or levenshtein; LLMUtilityAI has llm_semantic.',
    });
  }
  const words = async (text: string): Promise<readonly string[]> => {
    const stop = (removeStopWords ?? isCosine) ? stopWords(language) : new Set<string>();
    const kept = splitText(text, { language }).filter((word) => !stop.has(word));
    return (stem ?? isCosine) ? stemWords(kept, { language }) : kept;
  };
  const [left, right] = [await words(a), await words(b)];
  if (isCosine) {
    const counts = [countWords(left), countWords(right)] as const;
    return cosine(counts[0], counts[1], inverseFrequencies(counts));
  }
  const [one, other] = [new Set(left), new Set(right)];
  const all = new Set([...one, ...other]);
  if (all.size === 0) return 1;
  return [...one].filter((word) => other.has(word)).length / all.size;
}

/** Longer texts are compared by their first characters: the distance is quadratic. */
const LONGEST = 5000;

/** Levenshtein's distance in characters. */
export function editDistance(first: string, second: string): number {
  const a = [...first].slice(0, LONGEST);
  const b = [...second].slice(0, LONGEST);
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  a.forEach((character, index) => {
    const next = [index + 1];
    for (let at = 0; at < b.length; at += 1) {
      const change = (row[at] ?? 0) + (b[at] === character ? 0 : 1);
      next.push(Math.min(change, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  });
  return row[b.length] ?? 0;
}
