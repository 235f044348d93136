import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonLength } from './common-length.js';

test('it is where two lists first differ, by identity', () => {
  expect(commonLength([{}], [{}])).toBe(0);
  fc.assert(
    fc.property(fc.array(fc.nat(3), { maxLength: 40 }), fc.array(fc.nat(3), { maxLength: 40 }), fc.nat(40), (head, other, cut) => {
      const a = [...head, ...other.slice(0, cut)];
      const b = [...head, ...other.slice(cut)];
      const first = a.findIndex((value, index) => index >= b.length || value !== b[index]);
      expect(commonLength(a, b)).toBe(first < 0 ? a.length : first);
    }),
  );
});
