import { InMemoryWorkingMemory, type IWorkingMemory, type Json, logOperations, type Operation } from '@x/core';
import { expect, test } from 'vitest';
import { memoryLane } from './memory-lane.js';

const NONE = { add: [], done: [] };

async function commit(lane: ReturnType<typeof memoryLane>, turn: string, operation: Operation) {
  const { revision, state, events } = await lane.load('main');
  const { logged } = logOperations(state, [operation], { by: 'x', why: 'y', turn, atMs: 0 }, () => `op-${turn}`);
  return lane.commit({ revision, turn, operations: logged, events, batches: NONE });
}

test('a turn that the memory did not take may be committed again', async () => {
  const memory = new InMemoryWorkingMemory();
  let isFull = true;
  const host: IWorkingMemory = {
    get: (key) => memory.get(key),
    has: (key) => memory.has(key),
    keys: () => memory.keys(),
    delete: (key) => memory.delete(key),
    clear: () => memory.clear(),
    set: async (key, value) => {
      if (isFull) throw new Error('the disk is full');
      return memory.set(key, value);
    },
  };
  const lane = memoryLane(host);
  const batch = { id: 'b1', turn: 't0', by: 'metaprompt', items: [] };
  await lane.commit({ revision: 0, turn: 't0', operations: [], events: [], batches: { add: [batch], done: [] } });
  await expect(commit(lane, 't1', { set: 'mood', to: 'curious' })).rejects.toThrow('full');
  isFull = false;
  expect(await commit(lane, 't1', { set: 'mood', to: 'curious' })).toEqual({ revision: 2 });
  const { state, batches } = await lane.load('main');
  expect([state.mood, batches.map(({ id }) => id)]).toEqual(['curious', ['b1']]);
  const log = [];
  for await (const { turn } of lane.operations()) log.push(turn);
  expect(log).toEqual(['t1']);
});

test('a host’s keys never reach a prototype', async () => {
  const values = new Map<string, Json>([
    ['__proto__', { polluted: true }],
    ['imprint:__proto__', { polluted: true }],
    ['tea', 'green'],
  ]);
  const host = { keys: async () => [...values.keys()], get: async (key: string) => values.get(key) } as unknown as IWorkingMemory;
  const { state } = await memoryLane(host).load('main');
  expect([Object.keys(state.values), (state.values as { polluted?: boolean }).polluted]).toEqual([['tea'], undefined]);
  expect([Object.keys(state.imprints), (state.imprints as { polluted?: boolean }).polluted]).toEqual([[], undefined]);
});
