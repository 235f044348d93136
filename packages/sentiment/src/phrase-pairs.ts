import type { Lexicon } from './lexicon.js';

/** Sixteen times the bits that the language with most phrases sets, so that nearly all other pairs are told at once. */
const PAIR_BITS = 17;
/** Numbers of 32 bits that hold them. */
export const PAIR_CELLS = 2 ** (PAIR_BITS - 5);

/**
 * Whether a phrase may go on with a word behind its first word, or behind a place as {@link behind} gives it; now and
 * then true where none does.
 */
export function mayFollow({ pairs }: Lexicon, before: number, word: number): boolean {
  const bit = pairBit(before, word);
  return ((pairs[bit >>> 5] as number) & (1 << (bit & 31))) !== 0;
}

/** A place among what stands before a word; words are above 0. */
export function behind(place: number): number {
  return -place;
}

/** Notes that a word may follow. */
export function addPair(pairs: Int32Array, before: number, word: number): void {
  const bit = pairBit(before, word);
  pairs[bit >>> 5] = (pairs[bit >>> 5] as number) | (1 << (bit & 31));
}

function pairBit(before: number, word: number): number {
  return (Math.imul(before, 0x9e3779b1) ^ Math.imul(word, 0x85ebca6b)) >>> (32 - PAIR_BITS);
}
