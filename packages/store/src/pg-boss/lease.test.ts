import { answerTurnId, type Commit } from '@x/core';
import { expect, test } from 'vitest';
import { said } from '../../test/durable-contract.js';
import type { Delivery } from '../engine/turn-engine.js';
import type { Query } from '../postgres/client.js';
import type { PostgresStore } from '../postgres/postgres-store.js';
import { createLeaseGuard } from './lease.js';

/** A guard over a store that writes nothing down, and what it asks of pg-boss. */
function setUp(fence = 7) {
  const asked: string[] = [];
  const query = (async (text: string) => (text.includes('SELECT fence') ? [{ fence }] : [])) as unknown as Query;
  const commits: Commit[] = [];
  const lane = {
    async commit(change: Commit, also?: (query: Query) => Promise<void>) {
      await also?.(query);
      commits.push(change);
      return { revision: 1 };
    },
  };
  const store = {
    schema: 's',
    open: async () => lane,
    transaction: (work: (query: Query) => unknown) => work(query),
  } as unknown as PostgresStore;
  const answer = (name: string) => async () => {
    asked.push(name);
    return { affected: 1 };
  };
  const guard = createLeaseGuard({ touch: answer('touch'), complete: answer('complete') } as never, store);
  const delivery: Delivery = {
    scope: { directory: '/ava' },
    lane: 'dir:/ava',
    queue: 'turns',
    id: 'm2',
    input: null,
    attempt: 1,
    token: 7,
    signal: new AbortController().signal,
  };
  guard.claim(delivery.signal, { id: 'job', retryCount: 0 });
  return { guard, delivery, asked, commits };
}

test('the commit of the delivered turn, under its own id or as an answer to a parked one, ends the delivery; others hold the lease', async () => {
  const { guard, delivery, asked, commits } = setUp();
  const lane = await guard.fence(delivery).store.open(delivery.scope);
  for (const turn of ['m2', answerTurnId('m1', 'm2'), answerTurnId('m2', 'm3'), 'xm2', ':m2']) {
    asked.length = 0;
    await lane.commit(said(turn, 'x', 0));
    expect([turn, asked]).toEqual([turn, [turn === 'm2' || turn === answerTurnId('m1', 'm2') ? 'complete' : 'touch']]);
  }
  expect(commits.every(({ fence }) => fence === 7)).toBe(true);
  asked.length = 0;
  const { conversation: _none, ...state } = said('state', 'x', 0);
  await lane.commit(state);
  expect(asked).toEqual([]);
});

test('a commit whose lane has a newer lease is refused before anything is asked', async () => {
  const { guard, delivery, asked, commits } = setUp(8);
  const lane = await guard.fence(delivery).store.open(delivery.scope);
  await expect(lane.commit(said('other', 'x', 0))).rejects.toMatchObject({ code: 'fence_stale' });
  expect([asked, commits]).toEqual([[], []]);
});
