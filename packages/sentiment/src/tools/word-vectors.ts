/** Counts by word. */
export type WordCounts = ReadonlyMap<string, number>;

export function countWords(words: readonly string[]): WordCounts {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** How much each word tells texts apart: `ln((1 + texts) / (1 + texts with the word)) + 1`. */
export function inverseFrequencies(texts: readonly WordCounts[]): WordCounts {
  const seen = new Map<string, number>();
  for (const text of texts) for (const word of text.keys()) seen.set(word, (seen.get(word) ?? 0) + 1);
  return new Map([...seen].map(([word, count]) => [word, Math.log((1 + texts.length) / (1 + count)) + 1]));
}

/** Cosine of two texts, 0 to 1; 0 when either is empty. */
export function cosine(a: WordCounts, b: WordCounts, weights: WordCounts): number {
  const weighed = (counts: WordCounts, word: string): number => (counts.get(word) ?? 0) * (weights.get(word) ?? 1);
  let product = 0;
  for (const word of a.keys()) product += weighed(a, word) * weighed(b, word);
  const length = (counts: WordCounts): number => Math.sqrt([...counts.keys()].reduce((sum, word) => sum + weighed(counts, word) ** 2, 0));
  const both = length(a) * length(b);
  return both === 0 ? 0 : Math.min(1, product / both);
}
