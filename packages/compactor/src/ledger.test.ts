import { estimateTextTokens } from '@x/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Fact, renderFacts } from './facts.js';
import { growLedger, shortFact } from './ledger.js';

const facts = (count: number, text: (index: number) => string, more: Partial<Fact> = {}): Fact[] =>
  Array.from({ length: count }, (_, index) => ({ kind: 'fact', by: 'user', text: text(index), ...more }));
const grow = (ledger: readonly Fact[], added: readonly Fact[], maxTokens: number) =>
  growLedger(ledger, added, { maxTokens, countText: estimateTextTokens });

test('small talk leaves before facts, facts shrink before they leave, and the oldest leave first', () => {
  const talk = facts(20, (index) => `and then we walked on and on, evening ${'by evening '.repeat(index % 3)}again`);
  const told = facts(40, (index) => `I would like you to remember that the parcel of my aunt has the number PX-${1_000 + index} on it`);
  const roomy = grow([], [...talk, ...told], 5_000);
  expect(roomy.dropped).toEqual([]);
  const less = grow([], [...talk, ...told], 700);
  expect(less.dropped.every(({ text }) => text.includes('walked'))).toBe(true);
  expect(less.facts.filter(({ text }) => text.includes('PX-'))).toHaveLength(40);
  const tight = grow([], told, 200);
  const numbers = tight.facts.map(({ text }) => Number(/PX-(\d+)/.exec(text)![1]));
  expect(numbers).toEqual(numbers.map((_, index) => 1_040 - numbers.length + index));
  expect(tight.dropped.length + tight.facts.length).toBe(40);
});

test('what is said again moves to the end; an echo of the assistant is not kept twice', () => {
  const [first, second] = facts(2, (index) => `The code of door ${index} is QX-${8_000 + index}.`);
  const { facts: kept } = grow(
    [first!, second!],
    [{ ...first! }, { kind: 'fact', by: 'assistant', text: 'Noted: QX-8001 for the other door.' }],
    1_000,
  );
  expect(kept).toEqual([second, first]);
});

test('a ledger never outgrows its size, and nothing vanishes without being named', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          kind: fc.constantFrom('fact' as const, 'promise' as const, 'done' as const),
          by: fc.constantFrom('user' as const, 'tool' as const),
          text: fc.string({ minLength: 1, maxLength: 80 }),
        }),
        { maxLength: 60 },
      ),
      fc.integer({ min: 0, max: 600 }),
      (added, maxTokens) => {
        const { facts: kept, dropped } = grow([], added, maxTokens);
        expect(estimateTextTokens(renderFacts(kept))).toBeLessThanOrEqual(maxTokens * 1.2 + 8);
        const distinct = new Set(added.map(({ text }) => text.toLowerCase()));
        expect(kept.length + dropped.length).toBeLessThanOrEqual(distinct.size);
      },
    ),
  ));

test('a shortened fact keeps its literals letter by letter', () => {
  expect(shortFact('By the way, could you please remember that the number on the back of my card is 4417-8821 until Friday?')).toBe(
    '… my card is 4417-8821 until Friday',
  );
});
