import { expect, test } from 'vitest';
import { charsOverFour, createHistoryIndex, estimateTokens, planCompaction } from './index.js';

const exchange = (number: number) => [
  { role: 'user', content: `question ${number} ${'please '.repeat(30)}` },
  { role: 'assistant', content: `answer ${number} ${'fine '.repeat(30)}` },
];
const messages = [{ role: 'system', content: 'SOUL' }, ...Array.from({ length: 20 }, (_, number) => exchange(number)).flat()];
const tail = (from: number) => charsOverFour(messages.slice(from));

test('at the limit nothing is planned, one above it something is', () => {
  const own = estimateTokens(messages);
  expect(planCompaction(messages, { maxTokens: own })).toEqual({
    action: 'none',
    tokens: own,
    expectedTokens: own,
    shorten: [],
    tailCut: false,
  });
  expect(planCompaction(messages, { maxTokens: own - 1 }).action).toBe('fold');
});

test('keepTail is a minimum, reached back to the start of the exchange that it touches', () => {
  const total = charsOverFour(messages);
  for (let keepTail = 1; keepTail < total / 2; keepTail += 37) {
    const plan = planCompaction(messages, { maxTokens: total - 1, keepTail, countTokens: charsOverFour, foldTokens: 10 });
    const to = plan.head!.to;
    expect(messages[to]!.role).toBe('user');
    expect(tail(to)).toBeGreaterThanOrEqual(keepTail);
    if (to + 2 < messages.length) expect(tail(to + 2)).toBeLessThan(keepTail);
    expect(plan.tailCut).toBe(false);
  }
});

test('keepTail is given up only when the result would not fit, and the plan says so', () => {
  const plan = planCompaction(messages, { maxTokens: 600, keepTail: 590, countTokens: charsOverFour });
  expect(plan.tailCut).toBe(true);
  expect(plan.expectedTokens).toBeLessThanOrEqual(600);
});

test('old results are pruned first when that is enough', () => {
  const result = [
    { role: 'user', content: 'look' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'c', content: 'row '.repeat(4_000) },
  ];
  const plan = planCompaction([...result, ...messages.slice(1)], { maxTokens: 3_000 });
  expect(plan).toMatchObject({ action: 'prune', shorten: [{ index: 2 }] });
});

test('the turn in flight and the newest question are never in the head, unless marked to be kept', () => {
  const beats = Array.from({ length: 10 }, () => [
    { role: 'user', origin: 'heartbeat', content: 'tick '.repeat(60) },
    { role: 'assistant', origin: 'assistant', content: 'quiet' },
  ]).flat();
  const list = [...exchange(1), { role: 'user', origin: 'user', content: 'the question' }, ...beats];
  const plan = planCompaction(list, { maxTokens: 300 });
  expect(plan.head!.to).toBeGreaterThan(2);
  expect(plan.keep).toEqual({ from: 2, to: 3 });
  expect(planCompaction(list, { maxTokens: 300, turnStart: 1 }).head?.to ?? 0).toBeLessThanOrEqual(1);
});

test('an empty list and a list of one fit or are stuck, without an error', () => {
  expect(planCompaction([], { maxTokens: 1 }).action).toBe('none');
  expect(planCompaction([{ role: 'user', content: 'word '.repeat(100) }], { maxTokens: 10 })).toMatchObject({
    action: 'stuck',
    irreducible: 'input',
  });
});

test('a result that comes late, behind a note, joins its call also where the list is read message by message', () => {
  const call = (...ids: string[]) => ({
    role: 'assistant',
    content: null,
    tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
  });
  const messages = [
    { role: 'user', content: 'one '.repeat(60) },
    call('a', 'b'),
    { role: 'system', content: 'a note' },
    { role: 'tool', tool_call_id: 'a', content: 'two '.repeat(60) },
    { role: 'system', content: 'a note' },
    { role: 'tool', tool_call_id: 'b', content: 'three '.repeat(60) },
    { role: 'user', content: 'four '.repeat(60) },
  ];
  const index = createHistoryIndex((message) => charsOverFour([message]));
  for (let length = 1; length <= messages.length; length += 1) {
    const groups = [...index(messages.slice(0, length)).groups.slice(0, length)];
    expect(groups).toEqual([
      ...createHistoryIndex((message) => charsOverFour([message]))(messages.slice(0, length)).groups.slice(0, length),
    ]);
  }
});
