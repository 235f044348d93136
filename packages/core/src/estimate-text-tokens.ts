import { FEATURES, tokenFeatures } from './token-features.js';
import { TOKEN_WEIGHTS } from './token-weights.js';

/** Counts the tokens of a text: a real tokenizer, or {@link estimateTextTokens}. */
export type CountTokens = (text: string) => number;

const WEIGHTS: readonly number[] = FEATURES.map((feature) => TOKEN_WEIGHTS[feature]);

/**
 * Estimates how many tokens a text has, without a tokenizer: counts words, groups of digits, signs, breaks, runs of noise
 * and the letters of each script, and weighs them. The weights were fitted against o200k; they err on the high side.
 *
 * @returns A whole number, 0 for the empty text only. One pass over the text.
 */
export function estimateTextTokens(text: string): number {
  if (text === '') return 0;
  const counts = tokenFeatures(text);
  let total = 0;
  for (let index = 0; index < counts.length; index += 1) total += counts[index]! * WEIGHTS[index]!;
  return Math.max(1, Math.ceil(total));
}
