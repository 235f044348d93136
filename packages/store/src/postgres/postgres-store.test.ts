import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { said } from '../../test/durable-contract.js';
import { DATABASE_URL, temporarySchema } from '../../test/postgres-here.js';
import type { StoreEvent } from '../durable-store.js';
import type { PgPool } from './client.js';
import { postgresStore } from './postgres-store.js';
import { SCHEMA_VERSION } from './schema.js';

const SCOPE = { persona: 'ava', user: 'anna', session: '1' };

test('impossible options are refused at once', () => {
  const pool: PgPool = { connect: () => Promise.reject(new Error('not asked')) };
  for (const options of [{}, { pool, schema: 'a"; DROP' }, { pool, retentionDays: 0 }, { pool, busyTimeoutMs: 0.5 }])
    expect(() => postgresStore(options)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});

test('a server that cannot be reached is a failure that may pass', async () => {
  const store = postgresStore({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
  await expect(store.takeFence(SCOPE)).rejects.toMatchObject({
    code: 'store_failed',
    retryable: true,
    outcomeUnknown: false,
    driverCode: 'ECONNREFUSED',
  });
  await store.close();
});

/** A connection that fails in a chosen way. */
function failing(fail: (text: string) => Error | undefined): { readonly pool: PgPool; readonly released: unknown[] } {
  const released: unknown[] = [];
  const pool: PgPool = {
    connect: async () => ({
      async query(text: string) {
        const error = fail(text);
        if (error) throw error;
        return {
          rows: text.includes('to_regclass') ? [{ there: true }] : text.includes('SELECT version') ? [{ version: SCHEMA_VERSION }] : [],
        };
      },
      release: (error) => void released.push(error),
    }),
  };
  return { pool, released };
}

test('a connection lost while the commit is on its way leaves the outcome open, and is not used again', async () => {
  let commits = 0;
  const { pool, released } = failing((text) => {
    if (text === 'COMMIT') commits += 1;
    return commits > 1 && (text === 'COMMIT' || text === 'ROLLBACK') ? new Error('Connection terminated unexpectedly') : undefined;
  });
  const store = postgresStore({ pool });
  await expect(store.transaction(async () => 1)).rejects.toMatchObject({ code: 'store_failed', retryable: true, outcomeUnknown: true });
  expect(released.at(-1)).toBeInstanceOf(Error);
});

test('a transaction that lost a race inside the database is run again, a few times', async () => {
  const lost = Object.assign(new Error('deadlock detected'), { code: '40P01' });
  let left = 3;
  const { pool } = failing((text) => (text === 'work' && left-- > 0 ? lost : undefined));
  const store = postgresStore({ pool });
  expect(await store.transaction(async (query) => (await query('work')).length)).toBe(0);
  left = 100;
  await expect(store.transaction((query) => query('work'))).rejects.toMatchObject({
    code: 'store_failed',
    driverCode: '40P01',
    retryable: true,
  });
});

test('a commit stands though old journal entries could not be deleted after it, and that is told', async () => {
  const { pool } = failing((text) =>
    /DELETE FROM \w+\.journal/.test(text) ? Object.assign(new Error('cancelled'), { code: '57014' }) : undefined,
  );
  const events: StoreEvent[] = [];
  const lane = await postgresStore({ pool, onEvent: (event) => events.push(event) }).open(SCOPE);
  expect(await lane.commit(said('t1', 'a', 0, { journal: ['x'] }))).toEqual({ revision: 1 });
  expect(events).toMatchObject([{ type: 'prune_failed', error: { code: 'store_failed', driverCode: '57014' } }]);
});

test('what the work itself throws comes out as it is', async () => {
  const { pool } = failing(() => undefined);
  await expect(
    postgresStore({ pool }).transaction(async () => {
      throw new RangeError('mine');
    }),
  ).rejects.toThrow(new RangeError('mine'));
});

describe.skipIf(!DATABASE_URL)(DATABASE_URL ? 'PostgreSQL' : 'PostgreSQL: left out, DATABASE_URL is not set', () => {
  const { pool, newSchema, remove } = temporarySchema();
  afterAll(remove);

  test('stores that start at the same time on nothing make one schema', async () => {
    const schema = newSchema();
    const stores = Array.from({ length: 5 }, () => postgresStore({ pool, schema }));
    expect((await Promise.all(stores.map((store) => store.takeFence(SCOPE)))).sort()).toEqual([1, 2, 3, 4, 5]);
  });

  test('a schema of a newer version is refused', async () => {
    const schema = newSchema();
    await postgresStore({ pool, schema }).takeFence(SCOPE);
    await pool.query(`UPDATE ${schema}.schema_version SET version = 99`);
    await expect(postgresStore({ pool, schema }).takeFence(SCOPE)).rejects.toMatchObject({ code: 'store_version_unsupported' });
  });

  test('a lane that another holds too long is busy, and a holder that stops is let go by the server', async () => {
    const schema = newSchema();
    const store = postgresStore({ pool, schema, busyTimeoutMs: 300 });
    const lane = await store.open(SCOPE);
    await lane.commit(said('t1', 'a', 0));
    const other = new pg.Client({ connectionString: DATABASE_URL });
    other.on('error', () => {});
    await other.connect();
    await other.query(`BEGIN; SELECT 1 FROM ${schema}.lane FOR UPDATE`);
    await expect(lane.commit(said('t2', 'b', 1))).rejects.toMatchObject({ code: 'store_busy', retryable: true });
    await other.query('ROLLBACK');
    await other.end();
    // A commit whose process does not go on: the next one gets the lane when its time is over.
    let [stopped, goOn] = [(): void => {}, (): void => {}];
    const began = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    const later = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const paused = lane.commit(said('paused', 'p', 1), () => {
      stopped();
      return later;
    });
    await began;
    const patient = postgresStore({ pool, schema, busyTimeoutMs: 5000 });
    expect(await (await patient.open(SCOPE)).commit(said('t2', 'b', 1))).toEqual({ revision: 2 });
    goOn();
    await expect(paused).rejects.toMatchObject({ code: 'store_failed', retryable: true });
    expect((await lane.load('main')).history.map(({ id }) => id)).toEqual(['t1', 't2']);
  });

  test('operations of two sessions of one person become visible in the order of their places', async () => {
    const store = postgresStore({ pool, schema: newSchema() });
    const [one, two] = [await store.open(SCOPE), await store.open({ ...SCOPE, session: '2' })];
    let [begun, goOn] = [(): void => {}, (): void => {}];
    const began = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const later = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const first = one.commit(said('a', 'x', 0), () => {
      begun();
      return later;
    });
    await began;
    let isOver = false;
    const second = two.commit(said('b', 'x', 0)).then(() => {
      isOver = true;
    });
    for (let asked = 0; asked < 20; asked += 1) await store.takeFence({ ...SCOPE, user: 'ben' });
    expect(isOver).toBe(false);
    goOn();
    await Promise.all([first, second]);
    const turns: string[] = [];
    for await (const { turn } of two.operations(undefined, { sessions: 'all' })) turns.push(turn);
    expect(turns).toEqual(['a', 'b']);
  });

  test('what else belongs to a commit is in its transaction, or takes it back', async () => {
    const store = postgresStore({ pool, schema: newSchema() });
    const lane = await store.open(SCOPE);
    const refuse = async () => {
      throw new RangeError('no');
    };
    await expect(lane.commit(said('t1', 'a', 0), refuse)).rejects.toThrow('no');
    expect((await lane.load('main')).revision).toBe(0);
    let seen = 0;
    await lane.commit(said('t1', 'a', 0), async (query) => {
      seen = (await query(`SELECT 1 FROM ${store.schema}.turn`)).length;
    });
    expect(seen).toBe(1);
  });

  test.each(['{', 'null', '{}'])('records that read %s are put aside and reported once, and the rest is used', async (bad) => {
    const schema = newSchema();
    const events: StoreEvent[] = [];
    const store = postgresStore({ pool, schema, onEvent: (event) => events.push(event) });
    const lane = await store.open(SCOPE, { initial: { mood: 'curious' } });
    const blocks = [
      { before: 't0', part: 'state', text: 'x' },
      { before: 't0', part: 'state', text: 'y' },
    ];
    for (let n = 0; n < 4; n += 1) {
      const { conversation, ...rest } = said(`t${n}`, `text ${n}`, n);
      await lane.commit({ ...rest, conversation: { ...conversation!, blocks } });
    }
    await pool.query(`UPDATE ${schema}.message SET body = '${bad}' WHERE seq = 1`);
    await pool.query(`UPDATE ${schema}.block SET body = '${bad}' WHERE seq = 0`);
    await pool.query(`UPDATE ${schema}.conversation SET parked = '${bad}'`);
    await pool.query(`INSERT INTO ${schema}.fold SELECT id, '${bad}' FROM ${schema}.conversation`);
    await pool.query(`UPDATE ${schema}.lane SET state = '{', events = '${bad}'`);
    await pool.query(`UPDATE ${schema}.operation SET body = '${bad}' WHERE id = 't1-op'`);
    const { history, state, blocks: notes, parked } = await lane.load('main');
    expect([history.map(({ id }) => id), notes.map(({ text }) => text), parked]).toEqual([['t0', 't2', 't3'], ['y'], undefined]);
    expect([state.mood, state.values]).toEqual(['curious', { last: 'text 3' }]);
    const told = events.map((event) => (event.type === 'record_set_aside' ? event.table : event.type));
    expect([...told].sort()).toEqual(['block', 'fold', 'lane', 'lane', 'message', 'parked', 'state_rebuilt']);
    await lane.commit(said('t4', 'text 4', 4));
    events.length = 0;
    await lane.load('main');
    expect(events).toEqual([]);
    expect((await pool.query(`SELECT count(*)::int AS count FROM ${schema}.set_aside`)).rows).toEqual([{ count: 6 }]);
    const turns: string[] = [];
    for await (const { turn } of lane.operations()) turns.push(turn);
    expect(turns).toEqual(['t0', 't2', 't3', 't4']);
  });

  test('journal entries leave after their days', async () => {
    let now = 0;
    const clock = { now: () => now, setTimeout: () => () => {} };
    const store = postgresStore({ pool, schema: newSchema(), clock, retentionDays: 7 });
    const lane = await store.open(SCOPE);
    await lane.commit(said('t1', 'a', 0, { journal: ['old'] }));
    now = 8 * 86_400_000;
    await lane.commit(said('t2', 'b', 1, { journal: ['young'] }));
    expect([await lane.journal('t1'), await lane.journal('t2')]).toEqual([[], ['young']]);
  });

  test('a pool of the host stays open when the store closes', async () => {
    const store = postgresStore({ pool, schema: newSchema() });
    await store.takeFence(SCOPE);
    await store.close();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});
