import { afterAll, describe, expect, test } from 'vitest';
import { DATABASE_URL, temporarySchema } from '../../test/postgres-here.js';
import { postgresStore } from '../postgres/postgres-store.js';
import { type Attempt, createLeases } from './lease-rows.js';

describe.skipIf(!DATABASE_URL)(DATABASE_URL ? 'leases' : 'leases: left out, DATABASE_URL is not set', () => {
  const { pool, newSchema, remove } = temporarySchema();
  afterAll(remove);

  test('a silent worker loses its turns to the others, once, and learns of it; one that speaks keeps them', async () => {
    const store = postgresStore({ pool, schema: newSchema() });
    const failed: (readonly [string, string, Attempt])[] = [];
    const make = (name: string) =>
      createLeases({ store, leaseMs: 60_000, fail: async (queue, job) => void failed.push([name, queue, job]) });
    const [silent, alive, third] = [make('silent'), make('alive'), make('third')];
    const lost: string[] = [];
    await silent.enter('turns', { id: 'a', retryCount: 0 }, () => lost.push('a'));
    const leaveB = await silent.enter('turns', { id: 'b', retryCount: 2 }, () => lost.push('b'));
    await alive.enter('batches', { id: 'c', retryCount: 0 }, () => lost.push('c'));
    await leaveB();
    await alive.takeOver();
    expect(failed).toEqual([]);
    // Time passes for all; only one says that it lives.
    await pool.query(`UPDATE ${store.schema}.lease SET until = until - interval '1 hour'`);
    await alive.refresh();
    await Promise.all([alive.takeOver(), third.takeOver()]);
    expect(failed.map(([, ...rest]) => rest)).toEqual([['turns', { id: 'a', retryCount: 0 }]]);
    await silent.refresh();
    await alive.refresh();
    expect(lost).toEqual(['a']);
    // The next attempt has a lease of its own, which the end of the old one leaves alone.
    const leaveOld = await silent.enter('turns', { id: 'd', retryCount: 0 }, () => {});
    await third.enter('turns', { id: 'd', retryCount: 1 }, () => lost.push('d'));
    await leaveOld();
    await third.refresh();
    expect(lost).toEqual(['a']);
  });

  test('a turn is not forgotten when the worker that takes it over dies in between', async () => {
    const store = postgresStore({ pool, schema: newSchema() });
    const failed: Attempt[] = [];
    const make = (fail: (job: Attempt) => Promise<unknown>) => createLeases({ store, leaseMs: 60_000, fail: (_queue, job) => fail(job) });
    const silent = make(async () => undefined);
    const dying = make(async ({ id }) => {
      if (id === 'x') throw new Error('this worker is gone');
    });
    const other = make(async (job) => void failed.push(job));
    const lost: string[] = [];
    for (const id of ['x', 'y']) await silent.enter('turns', { id, retryCount: 3 }, () => lost.push(id));
    const timePasses = () => pool.query(`UPDATE ${store.schema}.lease SET until = until - interval '1 hour'`);
    await timePasses();
    await expect(dying.takeOver()).rejects.toThrow('this worker is gone');
    await other.takeOver();
    expect(failed).toEqual([]); // it has some time for it
    await silent.refresh();
    expect(lost.sort()).toEqual(['x', 'y']);
    await timePasses();
    await other.takeOver();
    expect(failed).toEqual([{ id: 'x', retryCount: 3 }]);
    await timePasses();
    await other.takeOver();
    expect(failed).toHaveLength(1);
    expect((await pool.query(`SELECT 1 FROM ${store.schema}.lease`)).rows).toEqual([]);
  });
});
