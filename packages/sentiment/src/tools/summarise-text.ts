import type { SummarizeOptions } from '@x/core';
import { NotSupportedError } from '../not-supported-error.js';
import { splitSentences, splitText } from './split-text.js';
import { stopWords } from './stop-words.js';
import { cosine, countWords, inverseFrequencies } from './word-vectors.js';

/** Beyond this many sentences only the first are ranked against each other: ranking is quadratic. */
const MOST_RANKED = 400;
const DAMPING = 0.85;
const ROUNDS = 50;

/**
 * Picks whole sentences: the first ones, or the most central ones in their own order.
 *
 * @throws {@link NotSupportedError} a method that writes.
 * @remarks Centrality after LexRank, Erkan and Radev (2004), doi:10.1613/jair.1523, with the similarity itself as weight.
 */
export function summariseText(
  text: string,
  { method = 'extractive', desiredLength = 'medium' }: SummarizeOptions,
  language: string,
): string {
  if (method !== 'extractive' && method !== 'first_n_sentences') {
    throw new NotSupportedError({ what: 'Summary by this method', instead: 'Use extractive or first_n_sentences, or LLMUtilityAI.' });
  }
  const sentences = splitSentences(text, language);
  const count = Math.min(sentences.length, sentenceCount(desiredLength, sentences.length));
  if (method === 'first_n_sentences' || count === sentences.length) return sentences.slice(0, count).join(' ');
  const ranks = centrality(sentences.slice(0, MOST_RANKED), language);
  const chosen = ranks
    .map((rank, index) => ({ rank, index }))
    .sort((a, b) => b.rank - a.rank || a.index - b.index)
    .slice(0, count)
    .sort((a, b) => a.index - b.index);
  return chosen.map(({ index }) => sentences[index]).join(' ');
}

/** The seed's lengths: short 2, medium a third but 3 at least, long half but 4 at least, a fraction, or a count. */
function sentenceCount(length: NonNullable<SummarizeOptions['desiredLength']>, total: number): number {
  if (length === 'short') return 2;
  if (length === 'medium') return Math.max(3, Math.round(total * 0.3));
  if (length === 'long') return Math.max(4, Math.round(total * 0.5));
  const count = length <= 1 ? Math.round(total * length) : Math.floor(length);
  return Math.max(1, count || 1); // also for what is no number
}

function centrality(sentences: readonly string[], language: string): readonly number[] {
  const stop = stopWords(language);
  const counts = sentences.map((sentence) => countWords(splitText(sentence, { language }).filter((word) => !stop.has(word))));
  const weights = inverseFrequencies(counts);
  const links = counts.map((a, row) => counts.map((b, column) => (row === column ? 0 : cosine(a, b, weights))));
  const sums = links.map((row) => row.reduce((sum, value) => sum + value, 0));
  let ranks: readonly number[] = sentences.map(() => 1 / sentences.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    ranks = ranks.map((_, column) => {
      const given = links.reduce((sum, row, from) => {
        const share = (sums[from] ?? 0) === 0 ? 0 : (row[column] ?? 0) / (sums[from] ?? 1);
        return sum + share * (ranks[from] ?? 0);
      }, 0);
      return (1 - DAMPING) / sentences.length + DAMPING * given;
    });
  }
  return ranks;
}
