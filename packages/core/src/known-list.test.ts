import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnownList } from './known-list.js';

const POOL = Array.from({ length: 4 }, (_, name) => ({ name }));
const items = fc.array(fc.constantFrom(...POOL), { maxLength: 40 });

function known(list: readonly object[]): KnownList<object> {
  const result = new KnownList<object>();
  for (const item of list) result.push(item);
  return result;
}

test('it shares with another list what stands first in both, by identity', () => {
  expect(known([{}]).commonLength([{}])).toBe(0);
  fc.assert(
    fc.property(items, items, fc.nat(40), (head, other, cut) => {
      const [a, b] = [
        [...head, ...other.slice(0, cut)],
        [...head, ...other.slice(cut)],
      ];
      const first = a.findIndex((value, index) => value !== b[index]);
      expect(known(a).commonLength(b)).toBe(first < 0 ? a.length : first);
    }),
  );
});

test('from a place on it is compared with the start of the other', () => {
  fc.assert(
    fc.property(items, items, fc.nat(40), (list, other, from) => {
      const end = list.slice(from);
      const first = end.findIndex((value, index) => value !== other[index]);
      expect(known(list).commonLength(other, from)).toBe(first < 0 ? end.length : first);
    }),
  );
});

test('it gives back what was put in, by place and from the end', () => {
  fc.assert(
    fc.property(items, fc.nat(45), items, (list, popped, more) => {
      const kept = known(list);
      const plain: object[] = [...list];
      for (let count = 0; count < popped; count += 1) expect(kept.pop()).toBe(plain.pop());
      for (const item of more) kept.push(item);
      plain.push(...more);
      expect(kept.length).toBe(plain.length);
      for (let index = 0; index <= plain.length; index += 1) expect(kept.at(index)).toBe(plain[index]);
    }),
  );
});
