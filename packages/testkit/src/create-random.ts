import type { Random } from '@x/core';

/**
 * Makes chance that repeats: the same seed gives the same numbers, in every process.
 *
 * @param seed - Any number or text.
 * @returns A function like `Math.random`, 32 random bits a call.
 * @remarks Source: sfc32 by Chris Doty-Humphrey (PractRand), public domain; the seed is spread by FNV-1a, and the first
 * twelve numbers are thrown away, as its author advises.
 */
export function createRandom(seed: number | string): Random {
  let hash = 0x811c9dc5;
  const spread = (text: string): number => {
    for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
    return hash | 0;
  };
  let a = spread(`a${seed}`);
  let b = spread(`b${seed}`);
  let c = spread(`c${seed}`);
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let skipped = 0; skipped < 12; skipped += 1) next();
  return next;
}
