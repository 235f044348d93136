import { FEATURES } from './feature-names.js';
import { weighText } from './token-features.js';
import { TOKEN_WEIGHTS } from './token-weights.js';

/** Counts the tokens of a text: a real tokenizer, or {@link estimateTextTokens}. */
export type CountTokens = (text: string) => number;

const WEIGHTS: readonly number[] = FEATURES.map((feature) => TOKEN_WEIGHTS[feature]);

/**
 * Estimates how many tokens a text has, without a tokenizer: words, groups of digits, signs, breaks, runs of noise and
 * the letters of each script have a weight each. The weights were fitted against o200k; they lean to the high side.
 *
 * @returns A whole number, 0 for the empty text only. One pass over the text.
 */
export function estimateTextTokens(text: string): number {
  return text === '' ? 0 : Math.max(1, Math.ceil(weighText(text, WEIGHTS)));
}
