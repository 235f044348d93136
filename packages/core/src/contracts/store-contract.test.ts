import { expect, test } from 'vitest';
import { agentStoreOf, createMemoryStore, InMemoryConversationStore } from '../index.js';
import { storeContract } from './index.js';

for (const { title, run } of storeContract(async () => ({ store: createMemoryStore() }))) test(`memory: ${title}`, run);
for (const { title, run } of storeContract(async () => ({ store: agentStoreOf(new InMemoryConversationStore()) })))
  test(`over a host's transcripts: ${title}`, run);

test('a store that forgets half of a commit breaks the contract', async () => {
  const create = async () => {
    const inner = createMemoryStore();
    return {
      store: { open: async (...args: Parameters<typeof inner.open>) => ({ ...(await inner.open(...args)), journal: async () => [] }) },
    };
  };
  const failures = await Promise.allSettled(storeContract(create).map(({ run }) => run()));
  expect(failures.filter(({ status }) => status === 'rejected')).toHaveLength(3);
});

test('a host store is read once and saved after each commit', async () => {
  const host = new InMemoryConversationStore();
  await host.save('a/b/c#main', [
    { role: 'system', content: 'old soul' },
    { role: 'user', content: 'Hi' },
  ]);
  const lane = await agentStoreOf(host).open({ persona: 'a', user: 'b', session: 'c' });
  const { history, revision } = await lane.load('main');
  expect(history.map(({ role, content, origin }) => [role, content, origin])).toEqual([['user', 'Hi', 'user']]);
  const reply = { id: 'm', role: 'assistant', content: 'Hello', origin: 'assistant' } as const;
  await lane.commit({
    revision,
    turn: 't',
    operations: [],
    events: [],
    batches: { add: [], done: [] },
    conversation: { id: 'main', append: [reply], blocks: [], stableHash: 'h' },
  });
  expect((await host.get('a/b/c#main'))?.map(({ content }) => content)).toEqual(['old soul', 'Hi', 'Hello']);
});
