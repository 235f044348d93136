import type { Block } from '@x/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBlockChain, NO_BLOCKS } from './block-chain.js';

const lists = fc.array(
  fc.array(fc.record({ before: fc.constant('m'), part: fc.constantFrom('a', 'b'), text: fc.constantFrom('1', '2') }), { maxLength: 5 }),
  { maxLength: 8 },
);

test('the changes lead to the list, whether or not the one before is remembered', () => {
  fc.assert(
    fc.property(lists, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (all, forgets) => {
      let chain = createBlockChain();
      let stored: readonly string[] = [];
      let hash = NO_BLOCKS;
      for (const [index, blocks] of all.entries()) {
        if (forgets[index]) chain = createBlockChain();
        const change = chain.change('c', { hash, count: stored.length }, blocks);
        // What a table would do: drop all of it where fewer are kept than there are.
        stored = [...(change.keep < stored.length ? [] : stored), ...change.add];
        hash = change.hash;
        expect(stored.map((body) => JSON.parse(body))).toEqual(blocks);
      }
    }),
  );
});

test('a list that grows writes only what is new', () => {
  const note = (text: string): Block => ({ before: 'm', part: 'state', text });
  const first = createBlockChain();
  const { hash } = first.change('c', { hash: NO_BLOCKS, count: 0 }, [note('1'), note('2')]);
  for (const chain of [first, createBlockChain()])
    expect(chain.change('c', { hash, count: 2 }, [note('1'), note('2'), note('3')])).toMatchObject({
      keep: 2,
      add: [JSON.stringify(note('3'))],
    });
  expect(createBlockChain().change('c', { hash, count: 2 }, [note('1')])).toMatchObject({ keep: 0, add: [JSON.stringify(note('1'))] });
});
