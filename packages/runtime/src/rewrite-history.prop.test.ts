import { type ChatMessage, type Stored, SUMMARY_OPENING, toWire, validateMessages } from '@x/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repairPairs } from './repair-pairs.js';
import { rewriteHistory } from './rewrite-history.js';

let made = 0;
const newId = () => `new-${++made}`;
const user = (id: string, content: string): Stored => ({ id, role: 'user', content, origin: 'user' });
/** Whole exchanges: a user message, perhaps calls with their results, an answer. Texts repeat on purpose. */
const exchange = fc.record({ text: fc.constantFrom('hi', 'again', 'hi'), calls: fc.nat(2) });
const transcript = fc.array(exchange, { maxLength: 5 }).map((exchanges) =>
  exchanges.flatMap(({ text, calls }, at): Stored[] => {
    const ids = Array.from({ length: calls }, (_, index) => `c${at}-${index}`);
    const asked: Stored[] =
      calls === 0
        ? []
        : [
            {
              id: `a${at}`,
              role: 'assistant',
              content: null,
              origin: 'assistant',
              tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 't', arguments: '{}' } })),
            },
            ...ids.map((id): Stored => ({ id: `r${id}`, role: 'tool', tool_call_id: id, content: 'ok', origin: 'tool' })),
          ];
    return [user(`u${at}`, text), ...asked, { id: `e${at}`, role: 'assistant', content: 'yes', origin: 'assistant' }];
  }),
);
const input = user('input', 'hi');

test('a list that a hook gives back as copies without ids is the same list: nothing changes', () => {
  fc.assert(
    fc.property(transcript, (history) => {
      const old = { history, current: [input] as const };
      const copies = [...history, input].map((message): ChatMessage => structuredClone(toWire(message)));
      const references = [...history, input];
      expect(rewriteHistory(old, references, { hook: 'h', newId })).toBeUndefined();
      const rewritten = rewriteHistory(old, copies, { hook: 'h', newId });
      // A text that stands twice may be taken for its twin; ids and wire content stay a permutation of the old ones.
      const list = rewritten ? [...rewritten.history, ...rewritten.current] : references;
      expect(list.map(toWire)).toEqual(references.map(toWire));
      expect(new Set(list.map((message) => message.id)).size).toBe(references.length);
    }),
  );
});

test('a fold keeps ids and origins of what it keeps, marks what it adds, and keeps pairs whole', () => {
  fc.assert(
    fc.property(transcript, fc.nat(4), (history, keep) => {
      const starts = history.flatMap((message, index) => (message.role === 'user' ? [index] : []));
      const from = starts[Math.max(0, starts.length - keep)] ?? history.length;
      const summary: ChatMessage = { role: 'system', content: 'summary' };
      const returned = [summary, ...history.slice(from).map((message) => ({ ...message })), { ...input }];
      const rewritten = rewriteHistory({ history, current: [input] }, returned, { hook: 'h', newId });
      expect(rewritten?.history[0]).toMatchObject({ role: 'user', origin: 'synthetic', content: 'summary' });
      expect(rewritten?.history.slice(1)).toEqual(history.slice(from));
      expect(rewritten?.current).toEqual([input]);
      expect(validateMessages(rewritten?.history ?? [])).toEqual([]);
    }),
  );
});

test('a message that a hook edited keeps its id and its sender, and is nobody’s own words any more', () => {
  const sender = { id: 'bob', owner: false };
  const said: Stored = { ...user('u', 'my code is 1234'), sender };
  const old = { history: [said, { id: 'a', role: 'assistant', content: 'ok', origin: 'assistant' } as Stored], current: [input] as const };
  const rewritten = rewriteHistory(old, [{ ...said, content: 'my code is [redacted]' }, old.history[1]!, input], { hook: 'h', newId });
  expect(rewritten?.history[0]).toEqual({ id: 'u', role: 'user', content: 'my code is [redacted]', origin: 'synthetic', sender });
  expect(rewritten?.history[1]).toBe(old.history[1]);
});

test('a list without the input, or with half a pair, is refused', () => {
  const call: Stored = {
    id: 'a',
    role: 'assistant',
    content: null,
    origin: 'assistant',
    tool_calls: [{ id: 'c', type: 'function', function: { name: 't', arguments: '{}' } }],
  };
  const result: Stored = { id: 'r', role: 'tool', tool_call_id: 'c', content: 'ok', origin: 'tool' };
  const old = { history: [user('u', 'x'), call, result], current: [input] as const };
  for (const returned of [[user('u', 'x')], [{ ...input, content: 'edited' }], [result, input], [call, input]]) {
    expect(() => rewriteHistory(old, returned, { hook: 'h', newId })).toThrow(expect.objectContaining({ code: 'hook_result_invalid' }));
  }
});

test('whatever list is stored, repair makes one that providers accept, and leaves a good one alone', () => {
  const message = fc.oneof(
    fc.constant(user('u', 'x')),
    fc.record({ role: fc.constant('tool' as const), tool_call_id: fc.constantFrom('a', 'b', 'c'), content: fc.constant('r') }),
    fc.record({
      role: fc.constant('assistant' as const),
      content: fc.constant(null),
      tool_calls: fc.array(
        fc.record({
          id: fc.constantFrom('a', 'b', 'c', ''),
          type: fc.constant('function' as const),
          function: fc.constant({ name: 't', arguments: '{}' }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    fc.constant({ role: 'system' as const, content: 'stale' }),
    fc.constant({ role: 'system' as const, content: `${SUMMARY_OPENING} We spoke of trees.` }),
  );
  fc.assert(
    fc.property(fc.array(message, { maxLength: 10 }), (messages) => {
      const stored = messages.map((one, index): Stored => ({ origin: 'user', ...one, id: `m${index}` }) as Stored);
      const repaired = repairPairs(stored);
      expect(validateMessages(repaired)).toEqual([]);
      expect(repairPairs(repaired)).toBe(repaired);
      const summaries = (list: readonly Stored[]) =>
        list.filter(({ content }) => String(content).startsWith(SUMMARY_OPENING)).map(({ id }) => id);
      expect(summaries(repaired)).toEqual(summaries(stored));
      if (validateMessages(stored).length === 0 && stored.every((one) => one.role !== 'system')) expect(repaired).toBe(stored);
    }),
    { numRuns: 500 },
  );
});
