import { createMemoryStore, type IAgentStore, type ITool, pending, type TurnHook } from '@x/core';
import { createScriptedModel, type Script } from '@x/testkit';
import { expect, test } from 'vitest';
import { openLane } from './open-lane.js';
import type { SessionOptions } from './session-types.js';

const scope = { persona: 'p', user: 'u', session: 's' };
/** Keeps the running turn alone, behind a summary, once there are as many messages. */
const foldAt = (count: number): TurnHook => ({
  beforeLLM: ({ messages }) =>
    messages.length < count ? undefined : { messages: [{ role: 'user', content: 'summary' }, ...messages.slice(-1)] },
});

async function open(script: Script, options: Partial<SessionOptions> = {}, store: IAgentStore = createMemoryStore(), shared = false) {
  const model = createScriptedModel(script, { atEnd: 'repeat' });
  const lane = await openLane({ store, scope, shared });
  return { store, lane, model, session: lane.session({ model, ...options }) };
}

test('an id that a fold took out of the history is answered from the original, in every process, without asking the model', async () => {
  const { session, store, model } = await open(['one', 'two', 'three'], { features: [foldAt(5)] });
  const first = await session.ask({ content: 'hi', id: 't1' });
  await session.ask({ content: 'more', id: 't2' });
  await session.ask({ content: 'fold', id: 't3' });
  expect((await session.history()).map((message) => message.id)).not.toContain('t1');
  const again = { id: 't1', text: 'one', status: 'done', replayed: true, messages: first.messages };
  expect(await session.ask({ content: 'hi', id: 't1' })).toMatchObject(again);
  const other = await open(['never'], {}, store);
  expect(await other.session.ask({ content: 'hi', id: 't1' })).toMatchObject(again);
  expect([model.requests.length, other.model.requests.length]).toEqual([3, 0]);
});

test('the original is read once, and only when something may have left the history', async () => {
  let reads = 0;
  const inner = createMemoryStore();
  const store: IAgentStore = {
    async open(...args) {
      const lane = await inner.open(...args);
      return {
        ...lane,
        load(conversation, options) {
          if (options?.original) reads += 1;
          return lane.load(conversation, options);
        },
      };
    },
  };
  const { session } = await open(['x'], { features: [foldAt(5)] }, store);
  for (const id of ['t1', 't2', 't3']) await session.ask({ content: id, id });
  expect(reads).toBe(0);
  for (const id of ['t4', 't5', 't6']) await session.ask({ content: id, id });
  expect(reads).toBe(1);
  expect(await session.ask({ content: 't4', id: 't4' })).toMatchObject({ replayed: true });
});

test('a turn that another process commits first is that process’s answer', async () => {
  const store = createMemoryStore();
  const first = await open(['mine'], {}, store, true);
  const second = await open(
    async () => {
      await first.session.ask({ content: 'hi', id: 't1' });
      return 'yours';
    },
    {},
    store,
    true,
  );
  expect(await second.session.ask({ content: 'hi', id: 't1' })).toMatchObject({ text: 'mine', replayed: true });
  expect((await second.session.history()).map((message) => message.content)).toEqual(['hi', 'mine']);
});

test('an id of another conversation of the lane is refused, since nothing would be committed', async () => {
  const { lane, session, model } = await open(['x']);
  await session.ask({ content: 'hi', id: 't1' });
  const other = lane.session({ model, conversation: 'other' });
  await expect(other.ask({ content: 'hi', id: 't1' })).rejects.toMatchObject({ code: 'turn_id_used', turn: 't1' });
  expect(await other.history()).toEqual([]);
});

test('a turn that waits, one that a limit stopped and one with added guidance are replayed as they are', async () => {
  const asks: ITool = {
    name: 'asks',
    description: '',
    inputSchema: {},
    execute: (_args, { answer }) => (answer ? 'yes' : pending({ id: 'q', kind: 'x', prompt: 'Ok?' })),
  };
  const { session, model } = await open([{ toolCalls: [{ name: 'asks' }] }], { tools: [asks], budgets: { maxSteps: 1 } });
  const waiting = await session.ask({ content: 'go', id: 't1' });
  expect(await session.ask({ content: 'go', id: 't1' })).toMatchObject({
    status: 'pending',
    pending: { id: 'q' },
    messages: waiting.messages,
    replayed: true,
  });
  expect(model.requests).toHaveLength(1);
  const adds: TurnHook = { beforeLLM: ({ messages }) => ({ messages: [...messages, { role: 'user', content: 'remember' }] }) };
  const guided = await open(['ok'], { features: [adds] });
  await guided.session.ask({ content: 'hi', id: 't1' });
  expect(await guided.session.ask({ content: 'hi', id: 't1' })).toMatchObject({ text: 'ok', status: 'done', replayed: true });
  const busy: ITool = { ...asks, execute: () => 'x' };
  const limited = await open([{ toolCalls: [{ name: 'asks' }] }], { tools: [busy], budgets: { maxSteps: 1 } });
  expect(await limited.session.ask({ content: 'go', id: 't1' })).toMatchObject({ status: 'incomplete' });
  expect(await limited.session.ask({ content: 'go', id: 't1' })).toMatchObject({ status: 'incomplete', replayed: true });
});

test('an empty id names no turn', async () => {
  const { session } = await open(['one', 'two']);
  for (const [content, text] of [
    ['hi', 'one'],
    ['more', 'two'],
  ] as const)
    expect(await session.ask({ content, id: '' })).toMatchObject({ text, replayed: false });
});
