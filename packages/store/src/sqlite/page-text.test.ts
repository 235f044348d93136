import type { Stored } from '@x/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mendedPage, pagePart, readPage } from './page-text.js';

const read = (body: string) => {
  const messages = new Map<number, Stored>();
  const isWhole = readPage(body, (message, index) => messages.set(index, message));
  return { isWhole, messages: [...messages] };
};
const text = (id: string, content: string): Stored => ({ id, role: 'user', origin: 'user', content });
const pageOf = (messages: readonly (Stored | null)[]) =>
  `[${messages.map((message) => (message ? pagePart(message, JSON.stringify(message)) : 'null')).join(',')}]`;

const call = { id: 'c', type: 'function', function: { name: 'add', arguments: '{}' } } as const;
const words = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'null', '\ud800 alone', '\0', '",{"', 'é漢😀'));
const messages = fc.oneof(
  fc.record({
    id: words,
    role: fc.constantFrom('user', 'assistant', 'system'),
    origin: fc.constantFrom('user', 'heartbeat'),
    content: words,
  }),
  fc
    .record({
      id: words,
      role: fc.constantFrom('user', 'assistant'),
      origin: fc.constant('user'),
      content: words,
      order: fc.shuffledSubarray(['id', 'role', 'origin', 'content'], { minLength: 4 }),
    })
    .map(({ order, ...message }) => Object.fromEntries(order.map((name) => [name, message[name as keyof typeof message]]))),
  fc.record({ id: words, role: fc.constant('tool'), origin: fc.constant('tool'), content: words, tool_call_id: words }),
  fc.record({
    id: words,
    role: fc.constant('assistant'),
    origin: fc.constant('assistant'),
    content: fc.constant(null),
    tool_calls: fc.constant([call]),
  }),
  fc.record({
    id: words,
    role: fc.constant('user'),
    origin: fc.constant('user'),
    content: words,
    sender: fc.record({ id: words, owner: fc.boolean() }),
  }),
  fc.record({ id: words, role: fc.constant('user'), content: fc.constant([{ type: 'text', text: 'a part' }]) }),
  fc.constant(null),
) as fc.Arbitrary<Stored | null>;

test('whatever messages a page has, they are read as they were, each at its place', () => {
  fc.assert(
    fc.property(fc.array(messages), (given) => {
      const found = read(pageOf(given));
      expect(found).toEqual({ isWhole: true, messages: [...given.entries()].filter(([, message]) => message !== null) });
      // To the byte: also in the order of their fields.
      expect(JSON.stringify(found.messages.map(([, message]) => message))).toBe(
        JSON.stringify(given.filter((message) => message !== null)),
      );
    }),
  );
});

test('a page of objects alone, as older packages wrote it, is read', () => {
  expect(read(JSON.stringify([text('a', 'one'), null, text('b', 'two')]))).toEqual({
    isWhole: true,
    messages: [
      [0, text('a', 'one')],
      [2, text('b', 'two')],
    ],
  });
});

test('a message of texts stands without the names of its fields', () => {
  const runtimes: Stored[] = [
    { id: 'u', role: 'user', content: 'one', origin: 'user' },
    { id: 'a', origin: 'assistant', role: 'assistant', content: 'two' },
  ];
  expect(pageOf(runtimes)).toBe('["u","user","user","one",1,"a","assistant","assistant","two"]');
  expect(pageOf([text('a', 'one'), { ...text('b', 'two'), sender: { id: 'eve', owner: false } }])).toBe(
    '[2,"a","user","user","one",{"id":"b","role":"user","origin":"user","content":"two","sender":{"id":"eve","owner":false}}]',
  );
});

test.each([
  ['is no JSON', '["a"', []],
  ['is no list', '{"a":1}', []],
  ['ends within a message', '["a","user","user","one","b","user"]', [[0, text('a', 'one')]]],
  ['has a role that is none', '["a","boss","user","one","b","user","user","two"]', [[1, text('b', 'two')]]],
  ['has a text that is none', '["a","user","user",5,{"id":"b","role":"user","origin":"user","content":"two"}]', [[1, text('b', 'two')]]],
  ['has an order that is none', '[7,"a","user","user","one","b","user","user","two"]', [[1, text('b', 'two')]]],
  ['ends with an order', '["a","user","user","one",1]', [[0, text('a', 'one')]]],
  ['has a value that is no message', '["a","user","user","one",7]', [[0, text('a', 'one')]]],
] as const)('of a page that %s the rest is read, and kept when it is mended', (_what, body, rest) => {
  expect(read(body)).toEqual({ isWhole: false, messages: rest });
  const mended = mendedPage(body, 2);
  expect(JSON.parse(mended)).toHaveLength(2);
  expect(read(mended)).toEqual({ isWhole: true, messages: rest });
});
