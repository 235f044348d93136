import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrownList } from './grown-list.js';

describe('a grown list', () => {
  it('stays as it was when others are made of it', () => {
    const first = GrownList.of(['a']);
    const second = first.add(['b']);
    const other = first.add(['c', 'd']);
    const third = second.add(['e']);
    expect([first.array, second.array, other.array, third.array]).toEqual([['a'], ['a', 'b'], ['a', 'c', 'd'], ['a', 'b', 'e']]);
  });

  it('gives the same array each time', () => {
    const list = GrownList.of([1]).add([2]);
    expect(list.array).toBe(list.array);
  });

  it('says what plain arrays would, whichever list is added to', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), fc.array(fc.integer(), { maxLength: 3 })), { maxLength: 30 }), (steps) => {
        const lists = [GrownList.of([0])];
        const arrays: (readonly number[])[] = [[0]];
        for (const [at, more] of steps) {
          const from = at % lists.length;
          lists.push(lists[from]!.add(more));
          arrays.push([...arrays[from]!, ...more]);
        }
        expect(lists.map((list) => list.array)).toEqual(arrays);
      }),
    );
  });
});
