import { createMemoryStore, type IAgentStore } from '@x/core';
import { createVirtualClock } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { type EngineNeeds, engineContract } from '../../test/engine-contract.js';
import { createLocalEngine } from './local-engine.js';
import type { EngineEvent } from './turn-engine.js';

const create =
  (makeStore: () => IAgentStore) =>
  async ({ handle, onEvent, ...needs }: EngineNeeds) => {
    const clock = createVirtualClock(0);
    const engine = createLocalEngine({ store: makeStore(), handle, clock, onEvent, ...needs });
    return {
      engine,
      now: () => clock.now(),
      async until(condition: () => boolean | Promise<boolean>) {
        for (let turns = 0; turns < 10_000; turns += 1) {
          if (await condition()) return;
          await new Promise((done) => setImmediate(done));
          await clock.advance(10);
        }
        throw new Error('the condition never held');
      },
      close: () => engine.close({ timeoutMs: 0 }),
    };
  };

describe('the engine of one process', () => {
  for (const { title, run } of engineContract(1000)) test(title, () => run(create(() => createMemoryStore())));
});

const lane = (n: number) => ({ persona: 'ava', user: `u${n}`, session: 's' });
const rest = () => new Promise((done) => setImmediate(done));

test('no more lanes run at the same time than there are workers, and none is left out', async () => {
  let running = 0;
  let most = 0;
  const done: string[] = [];
  const engine = createLocalEngine({
    store: createMemoryStore(),
    workers: 3,
    async handle({ id }) {
      running += 1;
      most = Math.max(most, running);
      await rest();
      running -= 1;
      done.push(id);
    },
  });
  for (let n = 0; n < 50; n += 1) await engine.enqueueTurn({ scope: lane(n), id: `t${n}`, input: null });
  while (done.length < 50) await rest();
  expect([most, new Set(done).size]).toEqual([3, 50]);
  await engine.close();
});

test('closing lets what runs end, starts nothing more, and aborts what takes too long', async () => {
  const clock = createVirtualClock(0);
  const started: string[] = [];
  const aborted: unknown[] = [];
  const engine = createLocalEngine({
    store: createMemoryStore(),
    clock,
    async handle({ id, signal }) {
      started.push(id);
      await new Promise<void>((done) => signal.addEventListener('abort', () => done()));
      aborted.push(signal.reason.code);
    },
  });
  for (const id of ['runs', 'waits']) await engine.enqueueTurn({ scope: lane(1), id, input: null });
  await engine.schedule({ key: 'later', atMs: 1000, turn: { scope: lane(2), id: 'timed', input: null } });
  await rest();
  const closing = engine.close({ timeoutMs: 5000 });
  await clock.advance(5000);
  await closing;
  await rest();
  expect([started, aborted, clock.pending]).toEqual([['runs'], ['turn_cancelled'], 0]);
});

test('a value that JSON cannot keep is refused before it waits', async () => {
  const engine = createLocalEngine({ store: createMemoryStore(), handle: async () => {} });
  await expect(engine.enqueueTurn({ scope: lane(1), id: 't', input: Number.NaN })).rejects.toMatchObject({ code: 'json_value_invalid' });
  expect(await engine.enqueueTurn({ scope: lane(1), id: 't', input: null })).toEqual({ accepted: true });
  await engine.close();
});

test('a listener that throws stops no lane', async () => {
  const seen: EngineEvent['type'][] = [];
  const engine = createLocalEngine({
    store: createMemoryStore(),
    handle: async () => {},
    onEvent({ type }) {
      seen.push(type);
      throw new Error('listener');
    },
  });
  for (const id of ['a', 'b']) await engine.enqueueTurn({ scope: lane(1), id, input: null });
  while (seen.length < 2) await rest();
  expect(seen).toEqual(['turn_done', 'turn_done']);
  await engine.close();
});

test('a closed engine accepts nothing that it would never run', async () => {
  const engine = createLocalEngine({ store: createMemoryStore(), handle: async () => undefined });
  await engine.close();
  const turn = { scope: { persona: 'p', user: 'u', session: 's' }, id: 't', input: null };
  await expect(engine.enqueueTurn(turn)).rejects.toMatchObject({ code: 'store_closed' });
  await expect(engine.schedule({ key: 'k', atMs: 0, turn })).rejects.toMatchObject({ code: 'store_closed' });
});

test.each([[Number.NaN], [Number.POSITIVE_INFINITY], ['soon']])('%s is no time to schedule for', async (atMs) => {
  const engine = createLocalEngine({ store: createMemoryStore(), handle: async () => expect.unreachable() });
  const turn = { scope: { persona: 'p', user: 'u', session: 's' }, id: 't', input: null };
  await expect(engine.schedule({ key: 'k', atMs: atMs as number, turn })).rejects.toMatchObject({ code: 'invalid_argument' });
  await engine.close();
});
