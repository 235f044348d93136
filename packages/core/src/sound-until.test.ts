import { expect, test } from 'vitest';
import type { ChatMessage, ToolCall } from './messages.js';
import { soundUntil } from './sound-until.js';

const calls = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id): ToolCall => ({ id, type: 'function', function: { name: 't', arguments: '{}' } })),
});
const result = (id: string): ChatMessage => ({ role: 'tool', tool_call_id: id, content: 'ok' });
// As a host's own store may give them.
const unnamed = (id: unknown): readonly ChatMessage[] => [
  {
    ...calls('a'),
    tool_calls: [{ type: 'function', function: { name: 't', arguments: '{}' }, ...(id !== undefined && { id }) } as unknown as ToolCall],
  },
  { role: 'tool', content: 'ok', ...(id !== undefined && { tool_call_id: id as string }) },
];
const asked: ChatMessage = { role: 'user', content: 'hi' };

test.each<[string, readonly ChatMessage[], number]>([
  ['nothing', [], 0],
  ['calls with their results', [asked, calls('a', 'b'), result('a'), result('b'), asked], 5],
  ['a call without a result', [asked, calls('a', 'b'), result('a'), asked], 1],
  ['a result of another call', [calls('a'), result('b')], 0],
  ['a second result', [calls('a'), result('a'), result('a')], 2],
  ['two calls of one id', [asked, calls('a', 'a'), result('a'), result('a')], 1],
  ['a call without an id', [calls(''), result('')], 0],
  ['a call whose id is missing, and its result', [asked, ...unnamed(undefined)], 1],
  ['a call whose id is null, and its result', [asked, ...unnamed(null)], 1],
  ['a call whose id is a number, and its result', [asked, ...unnamed(0)], 1],
  ['a system message', [asked, { role: 'system', content: 'stale' }], 1],
  ['calls of null', [{ role: 'assistant', content: 'yes', tool_calls: null } as unknown as ChatMessage], 1],
])('%s', (_, messages, sound) => {
  expect(soundUntil(messages)).toBe(sound);
});

test('what is known to be sound is not looked at again', () => {
  expect(soundUntil([result('a'), asked], 1)).toBe(2);
});
