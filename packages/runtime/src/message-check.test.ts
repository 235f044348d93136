import { type ChatMessage, validateMessages } from '@x/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMessageCheck } from './message-check.js';

const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'look', arguments: '{}' } });
const message = fc.oneof(
  fc.constant<ChatMessage>({ role: 'user', content: 'x' }),
  fc.constant<ChatMessage>({ role: 'system', content: 'x' }),
  fc.constant<ChatMessage>({ role: 'assistant', content: 'x' }),
  fc.constantFrom('a', 'b').map((id): ChatMessage => ({ role: 'assistant', content: null, tool_calls: [call(id)] })),
  fc.constantFrom('a', 'b').map((id): ChatMessage => ({ role: 'tool', tool_call_id: id, content: 'x' })),
);

test('whatever lists come one after the other, each gets the fault that a look at all of it finds', () => {
  const step = fc.record({ keep: fc.nat(12), more: fc.array(message, { maxLength: 4 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const check = createMessageCheck();
      let list: readonly ChatMessage[] = [];
      for (const { keep, more } of steps) {
        list = [...list.slice(0, keep), ...more];
        expect(check(list)).toEqual(validateMessages(list)[0]);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a message that was checked is not read again', () => {
  let reads = 0;
  const watched = (role: 'user' | 'assistant'): ChatMessage =>
    Object.defineProperty({ content: 'x' } as ChatMessage, 'role', {
      get() {
        reads += 1;
        return role;
      },
    });
  const list = Array.from({ length: 1_000 }, (_, index) => watched(index % 2 === 0 ? 'user' : 'assistant'));
  const check = createMessageCheck();
  check(list);
  reads = 0;
  check([...list, watched('user')]);
  expect(reads).toBeLessThan(20);
});
