import { validateMessages } from '@x/core';
import { expect } from 'vitest';
import { type CompactionEvent, type CompactorOptions, compactor } from '../src/index.js';

export type Message = {
  role: string;
  content: unknown;
  tool_calls?: { id: string }[];
  tool_call_id?: string;
  origin?: string;
  id?: string;
};

export const user = (content: string, more: object = {}): Message => ({ role: 'user', content, ...more });
export const assistant = (content: string): Message => ({ role: 'assistant', content });
export const call = (...ids: string[]): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'lookup', arguments: '{}' } })),
});
export const result = (id: string, content = `result of ${id}`): Message => ({ role: 'tool', tool_call_id: id, content });
export const filler = (count: number, words = 40): Message[] =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? user(`${'walk on '.repeat(words)}past house ${index}?`)
      : assistant(`${'and so it went '.repeat(words / 2)}till ${index}.`),
  );

/** A compactor with a small budget, its events and the calls of its summariser. */
export function setUp(options: Partial<CompactorOptions> = {}) {
  const events: CompactionEvent[] = [];
  let calls = 0;
  const compact = compactor({
    maxTokens: 600,
    keepTail: 150,
    summarize: () => {
      calls += 1;
      return 'They walked and talked.';
    },
    onEvent: (event) => events.push(event),
    ...options,
  });
  const memory = [{ name: 'memory', description: 'Saves notes.', inputSchema: { type: 'object' } }];
  return {
    compact,
    events,
    types: () => events.map(({ type }) => type),
    calls: () => calls,
    run: async (messages: Message[], event: object = {}) =>
      (await compact({ messages, tools: [], model: 'm', turn: 0, ...event }))?.messages as Message[] | undefined,
    memory,
  };
}

export const sound = (messages: readonly object[]) => expect(validateMessages(messages as never)).toEqual([]);
export const textsOf = (messages: readonly Message[]) =>
  messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
