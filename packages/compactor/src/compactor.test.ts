import { expect, test } from 'vitest';
import { type CompactionEvent, charsOverFour, compactor, readFold } from './index.js';

function history(exchanges: number) {
  const messages: object[] = [{ role: 'system', content: 'SOUL: you are Ava, the careful one.' }];
  for (let i = 0; i < exchanges; i += 1) {
    messages.push(
      { role: 'user', content: `question ${i}: what is the status of order ORD-${1000 + i}? ${'please '.repeat(20)}` },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `call_${i}`, type: 'function', function: { name: 'lookup', arguments: `{"order":"ORD-${1000 + i}"}` } }],
      },
      {
        role: 'tool',
        tool_call_id: `call_${i}`,
        content: `status of ORD-${1000 + i}: shipped on 2026-03-${String((i % 28) + 1).padStart(2, '0')}`,
      },
      { role: 'assistant', content: `answer ${i}` },
    );
  }
  return messages;
}

test('at or below the budget nothing is returned', async () => {
  const messages = history(3);
  const compact = compactor({ maxTokens: charsOverFour(messages), countTokens: charsOverFour, summarize: () => 'never' });
  expect(await compact({ messages, tools: [], model: 'm', turn: 0 })).toBeUndefined();
});

test('over the budget the older part becomes one fenced message', async () => {
  const messages = history(30);
  const events: CompactionEvent[] = [];
  const compact = compactor({
    maxTokens: 2000,
    keepTail: 800,
    summarize: () => 'They asked about orders.',
    onEvent: (e) => events.push(e),
  });
  const result = await compact({ messages, tools: [], model: 'm', turn: 0 });
  const out = result!.messages as { role: string; content: string; origin?: string }[];
  expect(out[0]).toBe(messages[0]);
  expect(out[1]!.role).toBe('user');
  expect(out[1]!.origin).toBe('synthetic');
  expect(out[1]!.content.startsWith('[Summary of earlier conversation]')).toBe(true);
  expect(Object.keys(out[1]!)).toEqual(['role', 'content']);
  expect(out.at(-1)).toBe(messages.at(-1));
  expect(readFold(out)).toMatchObject({ summary: 'They asked about orders.', revision: 1 });
  expect(events.map(({ type }) => type)).toEqual(['ledger_full', 'folded']);
});
