import { InvalidArgumentError, type NGramOptions } from '@x/core';

/** Runs of `n` tokens, by n. With `includePartial` the shorter runs at the end are kept. */
export function nGramsOf(
  tokens: readonly string[],
  { n, includePartial = false }: NGramOptions,
): { readonly [n: number]: readonly (readonly string[])[] } {
  const sizes = typeof n === 'number' ? [n] : n;
  return Object.fromEntries(
    sizes.map((size) => {
      if (!Number.isSafeInteger(size) || size < 1) throw new InvalidArgumentError(`n must be a whole number from 1, got ${size}`);
      const starts = includePartial ? tokens.length : Math.max(0, tokens.length - size + 1);
      return [size, Array.from({ length: starts }, (_, start) => tokens.slice(start, start + size))];
    }),
  );
}
