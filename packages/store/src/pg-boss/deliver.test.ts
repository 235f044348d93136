import { AgentosError } from '@x/core';
import { createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { TurnCancelledError } from '../engine/engine-errors.js';
import type { EngineEvent, TurnHandler } from '../engine/turn-engine.js';
import type { PostgresStore } from '../postgres/postgres-store.js';
import { deliver } from './deliver.js';
import { jobData } from './job-data.js';
import { repeat } from './workers.js';

class Passing extends AgentosError {
  override readonly name = 'Passing';
  readonly code = 'passing';
  readonly retryable = true;
}

/** One job of a queue whose store and leases write nothing down. */
function jobFor(handle: TurnHandler) {
  const clock = createVirtualClock(0);
  const events: EngineEvent[] = [];
  const stopping = new AbortController();
  const lost = new AbortController();
  const store = { schema: 's', takeFence: async () => 1, transaction: async () => undefined } as unknown as PostgresStore;
  const data = jobData({ scope: { directory: '/ava' }, id: 't', input: null });
  const done = deliver(
    {
      store,
      engine: {} as never,
      guard: { claim: () => {} } as never,
      leases: { enter: async () => async () => {} } as never,
      handle,
      maxAttempts: 3,
      retryDelayMs: 100,
      clock,
      stopping: stopping.signal,
      tell: (event) => events.push(event),
    },
    'turns',
    { id: 'job', retryCount: 0, data, signal: lost.signal } as never,
  );
  return { clock, done, stopping, lost, told: () => events.map(({ type }) => type) };
}

test('a failure that may pass is tried again after the delay, and after twice the delay', async () => {
  const tries: number[] = [];
  const { clock, done, told } = jobFor(async ({ attempt }) => {
    tries.push(clock.now());
    if (attempt < 3) throw new Passing('not yet');
  });
  await clock.advance(99);
  expect(tries).toEqual([0]);
  await clock.advance(201);
  expect(await done).toEqual({ outcome: 'done' });
  expect(tries).toEqual([0, 100, 300]);
  expect(told()).toEqual(['turn_retried', 'turn_retried', 'turn_done']);
  expect(clock.pending).toBe(0);
});

test('a delay ends with the engine, and a handler that does not listen ends with its lease', async () => {
  const waiting = jobFor(() => Promise.reject(new Passing('not yet')));
  const outcome = expect(waiting.done).rejects.toMatchObject({ code: 'turn_cancelled' });
  await waiting.clock.advance(50);
  waiting.stopping.abort(new TurnCancelledError('of a closed engine'));
  await outcome;
  expect(waiting.clock.pending).toBe(0);

  const deaf = jobFor(() => new Promise(() => {}));
  const end = expect(deaf.done).rejects.toMatchObject({ code: 'lease_over' });
  await deaf.clock.advance(0);
  deaf.lost.abort();
  await end;
  expect(deaf.told()).toEqual(['turn_superseded']);
});

test('what is repeated runs once in each span, not while it runs still, and not once it is stopped', async () => {
  const clock = createVirtualClock(0);
  const events: EngineEvent[] = [];
  const starts: number[] = [];
  let end = (): void => {};
  const stop = repeat(
    10,
    () => {
      starts.push(clock.now());
      if (starts.length === 2) return Promise.reject(new RangeError('no'));
      return starts.length === 3 ? new Promise<void>((done) => (end = done)) : Promise.resolve();
    },
    { clock, tell: (event) => events.push(event) },
  );
  await clock.advance(55);
  end();
  await clock.advance(10);
  expect(starts).toEqual([10, 20, 30, 60]);
  expect(events).toEqual([{ type: 'engine_error', error: new RangeError('no') }]);
  stop();
  await clock.advance(100);
  expect([starts.length, clock.pending]).toEqual([4, 0]);
});
