import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WordTable } from './word-table.js';

const word = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('a', 'b', "'"), minLength: 1, maxLength: 6 }),
);

test('words are numbered from 1 in the order they come and found again by their number; others are 0', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 400 }), fc.array(word), (words, others) => {
      const table = new WordTable(new Set(words));
      for (const one of [...words, ...others]) expect(table.numberOf(one)).toBe(words.indexOf(one) + 1);
    }),
  );
});
