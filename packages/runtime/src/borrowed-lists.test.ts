import {
  type BatchWork,
  createMemoryStore,
  type IChatModel,
  type ITool,
  type ModelRequest,
  pending,
  type Stored,
  type Turn,
  type TurnHook,
} from '@x/core';
import { createScriptedModel, createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { openLane } from './open-lane.js';
import type { SessionOptions } from './session-types.js';

const scope = { persona: 'tutor', user: 'ada', session: 's1' };

function modelThat(keep: (request: ModelRequest) => void, borrows?: boolean): IChatModel {
  let answers = 0;
  return {
    providerId: 'test',
    modelId: 'test',
    capabilities: { lateNote: 'fenced-user', mergeUserRuns: false, structuredOutput: false },
    borrows,
    async *stream(request) {
      keep(request);
      answers += 1;
      yield { type: 'text-delta', text: `answer ${answers}` };
      yield { type: 'model-end', finish: 'stop', usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
}

async function open(options: Partial<SessionOptions> & Pick<SessionOptions, 'model'>) {
  const lane = await openLane({ store: createMemoryStore(), scope, clock: createVirtualClock(1_000_000) });
  return lane.session({ stable: { system: 'S' }, ...options });
}

const idsOf = (list: readonly Stored[]): readonly string[] => list.map(({ id }) => id);

test('what a hook, a host or a batch keeps of a history stays as it was, and what a hook borrows is the newest', async () => {
  const kept: (readonly Stored[])[] = [];
  const borrowed: (readonly Stored[])[] = [];
  const batches: (readonly Stored[])[] = [];
  const lengths: number[] = [];
  const works: BatchWork[] = [];
  const reader: TurnHook = { name: 'reader', borrows: true, beforeTurn: (turn) => void borrowed.push(turn.layout.history) };
  const worker: TurnHook = {
    name: 'worker',
    afterTurn: () => ({ batch: [{ id: 'one', because: 'test' }] }),
    async runBatch(_batch, work) {
      batches.push(work.history);
      lengths.push(work.history.length);
      works.push(work);
    },
  };
  let keeping = false;
  const keeper: TurnHook = {
    name: 'keeper',
    afterTurn(turn) {
      if (keeping) kept.push(turn.layout.history);
    },
  };
  const session = await open({ model: modelThat(() => {}), features: [reader, worker], hooks: keeper });
  for (const text of ['1', '2', '3']) await session.ask(text);
  await session.drain();
  // Nobody else has the list: it is one and the same for all turns that began with messages of this session.
  expect(borrowed[1]).toBe(borrowed[2]);
  const told = await session.history();
  const before = idsOf(told);
  await session.ask('4');
  keeping = true;
  await session.ask('5');
  keeping = false;
  await session.ask('6');
  await session.ask('7');
  await session.drain();
  expect(idsOf(told)).toEqual(before);
  expect(before).toHaveLength(6);
  expect(kept.map((list) => list.length)).toEqual([8]);
  const all = idsOf(await session.history());
  expect(all).toHaveLength(14);
  expect(idsOf(kept[0]!)).toEqual(all.slice(0, 8));
  for (const [index, list] of batches.entries()) {
    expect(list).toHaveLength(lengths[index]!);
    expect(list.length).toBeGreaterThanOrEqual(2 * (index + 1));
    expect(idsOf(list)).toEqual(all.slice(0, list.length));
    expect(works[index]!.history).toBe(list);
  }
});

test('a hook that shares its name with one that keeps lists is treated like that one', async () => {
  const seen: (readonly Stored[])[] = [];
  const turns: Turn[] = [];
  const session = await open({
    model: modelThat(() => {}),
    features: [
      { name: 'same', borrows: true, beforeTurn: (turn) => void seen.push(turn.layout.history) },
      { name: 'same', beforeTurn: (turn) => void turns.push(turn) },
    ],
  });
  for (const text of ['1', '2', '3']) await session.ask(text);
  expect(seen.map((list) => list.length)).toEqual([0, 2, 4]);
});

test('a model that keeps requests has each as it was; one that borrows goes on with one list, unless somebody hears of it', async () => {
  const kept: ModelRequest[] = [];
  const keeps = await open({ model: modelThat((request) => kept.push(request)) });
  for (const text of ['1', '2', '3']) await keeps.ask(text);
  expect(kept.map(({ messages }) => messages.length)).toEqual([2, 4, 6]);

  const lists: (readonly unknown[])[] = [];
  const texts: string[] = [];
  const model = modelThat(({ messages }) => {
    lists.push(messages);
    texts.push(JSON.stringify(messages));
  }, true);
  const borrows = await open({ model });
  for (const text of ['1', '2', '3']) await borrows.ask(text);
  expect(lists[1]).toBe(lists[0]);
  expect(lists[2]).toBe(lists[0]);
  expect(texts).toEqual(kept.map(({ messages }) => JSON.stringify(messages)));

  const heard: (readonly unknown[])[] = [];
  await borrows.ask('4', (event) => {
    if (event.type === 'step-start') heard.push(event.request.messages);
  });
  await borrows.ask('5');
  expect(heard[0]).toHaveLength(8);
  expect(heard[0]).not.toBe(lists[0]);
  expect(lists.at(-1)).toHaveLength(10);
});

test('a message that no endpoint takes is found in a borrowed list too, however long it was valid before', async () => {
  const session = await open({
    model: modelThat(() => {}, true),
    hooks: {
      beforeLLM: ({ messages }) =>
        messages.length < 5 ? undefined : { messages: [...messages, { role: 'tool', content: 'x', tool_call_id: 'nobody' }] },
    },
  });
  await session.ask('1');
  await session.ask('2');
  await expect(session.ask('3')).rejects.toMatchObject({ code: expect.stringMatching(/invalid|hook/) });
});

test('what is kept of a turn that failed, or read when the turn is over, stays as it was', async () => {
  const kept: (readonly Stored[])[] = [];
  const turns: Turn[] = [];
  let keeping = false;
  let failing = false;
  const keeper: TurnHook = {
    name: 'keeper',
    beforeTurn(turn) {
      turns.push(turn);
      if (keeping) kept.push(turn.layout.history);
    },
  };
  const model = modelThat(() => {
    if (failing) throw new Error('no answer');
  });
  const session = await open({ model, features: [keeper] });
  await session.ask('1');
  [keeping, failing] = [true, true];
  await expect(session.ask('2')).rejects.toThrow();
  [keeping, failing] = [false, false];
  for (const text of ['3', '4', '5']) await session.ask(text);
  expect(kept.map((list) => list.length)).toEqual([2]);
  expect(turns.map(({ layout }) => layout.history.length)).toEqual([0, 2, 2, 4, 6]);
  expect(turns[3]!.layout.history).toBe(turns[3]!.layout.history);
});

test('a turn that goes on while its question is cancelled asks with the history that it began with', async () => {
  const requests: string[] = [];
  const call = (id: string, name: string) => ({ toolCalls: [{ id, name, arguments: {} }] });
  const script = createScriptedModel(['one', call('a', 'pay'), call('b', 'cancel'), 'done']);
  const model: IChatModel = {
    ...script,
    stream(request, options) {
      requests.push(request.messages.map(({ content, tool_call_id }) => tool_call_id ?? content).join());
      return script.stream(request, options);
    },
  };
  const parameters = { type: 'object', properties: {} };
  const pay: ITool = {
    name: 'pay',
    description: 'Pays.',
    inputSchema: parameters,
    execute: async (_args, { answer }) => (answer ? 'paid' : pending({ id: 'q', kind: 'approval', prompt: 'Ok?' })),
  };
  const cancel: ITool = {
    name: 'cancel',
    description: 'Cancels.',
    inputSchema: parameters,
    execute: async () => String(await session.cancel()),
  };
  const session = await open({ model, tools: [pay, cancel] });
  await session.ask('1');
  await session.ask('2');
  await expect(session.resume({ id: 'q', ok: true })).rejects.toMatchObject({ code: 'transcript_conflict' });
  expect(requests.at(-1)).toMatch(/,1,one,2,,a,,b$/);
});
