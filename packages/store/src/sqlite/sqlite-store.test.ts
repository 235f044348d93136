import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createVirtualClock } from '@x/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { said } from '../../test/durable-contract.js';
import { sqliteDrivers, temporaryDirectory } from '../../test/sqlite-here.js';
import type { StoreEvent } from '../durable-store.js';
import { SCHEMA_VERSION } from './schema.js';
import { sqliteStore } from './sqlite-store.js';

const { there } = await sqliteDrivers();
const SCOPE = { persona: 'ava', user: 'anna', session: '1' };
const DAY_MS = 86_400_000;

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

test('impossible options are refused at once', () => {
  for (const options of [
    { path: '' },
    { path: 'x', retentionDays: 0 },
    { path: 'x', retentionDays: Number.NaN },
    { path: 'x', busyTimeoutMs: -1 },
    { path: 'file:x' },
    { path: 'x', durability: 'fast' },
    { path: 'x', onCorrupt: 'Fail' },
  ] as Parameters<typeof sqliteStore>[0][])
    expect(() => sqliteStore(options)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  expect(existsSync('x')).toBe(false);
});

test('a disk that is full while the tables are made is named, though SQLite has taken them back by then', async () => {
  const fault = (code: string) => Object.assign(new Error(code), { code });
  const database = {
    exec(sql: string): void {
      if (sql.includes('CREATE TABLE')) throw fault('SQLITE_FULL');
      if (sql === 'ROLLBACK') throw fault('SQLITE_ERROR');
    },
    prepare: (sql: string) => ({
      get: () => (sql.startsWith('PRAGMA') ? { user_version: 0, application_id: 0 } : undefined),
      all: () => [],
      run: () => ({ changes: 0, lastInsertRowid: 0 }),
    }),
    close(): void {},
  };
  const store = sqliteStore({ path: directory.file, driver: async () => () => database });
  writeFileSync(directory.file, '');
  await expect(store.takeFence(SCOPE)).rejects.toMatchObject({ code: 'store_failed', driverCode: 'SQLITE_FULL', retryable: true });
});

test('a store without a driver names the install line', async () => {
  const driver = async () => {
    const { StoreDriverMissingError } = await import('../errors.js');
    throw new StoreDriverMissingError({ driver: 'better-sqlite3', install: 'npm install better-sqlite3@12' });
  };
  const store = sqliteStore({ path: directory.file, driver });
  await expect(store.takeFence(SCOPE)).rejects.toMatchObject({
    code: 'store_driver_missing',
    message: expect.stringContaining('npm install better-sqlite3'),
  });
  expect(readdirSync(directory.path)).toEqual([]);
});

describe.skipIf(there.length === 0)(`SQLite${there.length === 0 ? ': left out, no driver can be loaded here' : ''}`, () => {
  const [name, driver] = there[0] ?? ['none', undefined];

  test('the file is made with its directories, for its owner only, and is one file after closing', async () => {
    const path = `${directory.path}/deep/er/agents.db`;
    const store = sqliteStore({ path, driver });
    await (await store.open(SCOPE)).commit(said('t1', 'hello', 0));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await store.close();
    expect(readdirSync(`${directory.path}/deep/er`)).toEqual(['agents.db']);
  });

  test('a path that cannot be made says so with the code of the system', async () => {
    writeFileSync(directory.file, '');
    const store = sqliteStore({ path: `${directory.file}/below.db`, driver });
    await expect(store.takeFence(SCOPE)).rejects.toMatchObject({ code: 'store_failed', driverCode: 'ENOTDIR', retryable: false });
  });

  test(':memory: lives as long as the store and leaves no file', async () => {
    const store = sqliteStore({ path: ':memory:', driver });
    const lane = await store.open(SCOPE);
    await lane.commit(said('t1', 'hello', 0));
    expect((await lane.load('main')).history).toHaveLength(1);
    await store.close();
    expect(existsSync(':memory:')).toBe(false);
  });

  test('an empty file is an empty store', async () => {
    writeFileSync(directory.file, '');
    const store = sqliteStore({ path: directory.file, driver });
    expect((await (await store.open(SCOPE)).load('main')).revision).toBe(0);
    await store.close();
  });

  test("another program's database is left as it is", async () => {
    const database = (await driver!())(directory.file);
    database.exec("CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('https://example.org')");
    database.close();
    const before = readFileSync(directory.file);
    const store = sqliteStore({ path: directory.file, driver });
    await expect(store.takeFence(SCOPE)).rejects.toMatchObject({ code: 'invalid_argument' });
    await store.close();
    expect(readFileSync(directory.file).equals(before)).toBe(true);
    expect(readdirSync(directory.path)).toEqual(['agents.db']);
  });

  test('many messages lie on pages of bounded length, and come back whole and in order', async () => {
    const store = sqliteStore({ path: directory.file, driver });
    const lane = await store.open(SCOPE);
    const texts = Array.from({ length: 600 }, (_, n) => `${n} ${'x'.repeat(n === 300 ? 70_000 : n)}`);
    for (let n = 0; n < 600; n += 60) {
      const append = texts
        .slice(n, n + 60)
        .map((content, index) => ({ id: `m${n + index}`, role: 'user', origin: 'user', content }) as const);
      const { conversation, ...rest } = said(`t${n}`, '', n / 60);
      await lane.commit({ ...rest, conversation: { ...conversation!, append } });
    }
    const { history } = await lane.load('main');
    expect(history.map(({ content }) => content)).toEqual(texts);
    await store.close();
    const database = (await driver!())(directory.file);
    const pages = database.prepare('SELECT next_seq - seq AS messages, length(body) AS characters FROM page ORDER BY seq').all();
    const long = (pages as { messages: number; characters: number }[]).filter(({ characters }) => characters > 51_000);
    expect(long).toEqual([{ messages: 1, characters: expect.any(Number) }]);
    expect(pages.length).toBeGreaterThan(3);
    expect(database.prepare('SELECT count(*) AS count FROM message').get()).toMatchObject({ count: 0 });
    database.close();
  });

  test('a database of an older version is brought up to date with all that is in it', async () => {
    const first = sqliteStore({ path: directory.file, driver });
    await (await first.open(SCOPE)).commit(said('t1', 'a', 0));
    await first.close();
    const database = (await driver!())(directory.file);
    database.exec(
      'DROP INDEX operation_lane; DROP INDEX operation_trait; CREATE INDEX operation_id ON operation (lane, id); CREATE INDEX operation_order ON operation (lane, at_ms, seq); PRAGMA user_version = 1',
    );
    database.close();
    const events: StoreEvent[] = [];
    const store = sqliteStore({ path: directory.file, driver, onEvent: (event) => events.push(event) });
    const lane = await store.open(SCOPE);
    await lane.commit(said('t2', 'b', 1));
    const turns: string[] = [];
    for await (const { turn } of lane.operations()) turns.push(turn);
    expect(turns).toEqual(['t1', 't2']);
    expect(events).toEqual([{ type: 'migrated', from: 1, to: SCHEMA_VERSION }]);
    await store.close();
  });

  test('a database of a newer version is refused and left as it is', async () => {
    const first = sqliteStore({ path: directory.file, driver });
    await (await first.open(SCOPE)).commit(said('t1', 'hello', 0));
    await first.close();
    const database = (await driver!())(directory.file);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    database.close();
    const store = sqliteStore({ path: directory.file, driver });
    await expect((await store.open(SCOPE)).load('main')).rejects.toMatchObject({ code: 'store_version_unsupported' });
    await store.close();
  });

  test('journal entries leave after their days, turns and transcript stay', async () => {
    const clock = createVirtualClock(0);
    const store = sqliteStore({ path: directory.file, driver, clock, retentionDays: 7 });
    const lane = await store.open(SCOPE);
    await lane.commit(said('t1', 'a', 0, { journal: ['old'] }));
    await clock.advance(6 * DAY_MS);
    await lane.commit(said('t2', 'b', 1, { journal: ['young'] }));
    expect(await lane.journal('t1')).toEqual(['old']);
    await clock.advance(2 * DAY_MS);
    await lane.commit(said('t3', 'c', 2));
    expect([await lane.journal('t1'), await lane.journal('t2')]).toEqual([[], ['young']]);
    expect((await lane.load('main')).history).toHaveLength(3);
    await store.close();
  });

  test('nothing of what is forgotten is left in the bytes on disk', async () => {
    const store = sqliteStore({ path: directory.file, driver });
    const lane = await store.open(SCOPE);
    const secret = (n: number) => `tangerine-${n}`;
    for (let n = 0; n < 40; n += 1) await lane.commit(said(`t${n}`, `${secret(n)} ${'filler '.repeat(100)}`, n, { journal: [secret(n)] }));
    const other = await store.open({ ...SCOPE, user: 'bob' });
    await other.commit(said('t1', 'pomegranate', 0));
    const bytes = () => readdirSync(directory.path).map((file) => readFileSync(`${directory.path}/${file}`, 'latin1'));
    expect(bytes().join()).toContain('tangerine');
    await store.forget(SCOPE);
    expect(bytes().join()).not.toContain('tangerine');
    expect(bytes().join()).toContain('pomegranate');
    await store.close();
  });

  test('a writer waits for another one, without stopping the process, and goes on', async () => {
    const store = sqliteStore({ path: directory.file, driver });
    const lane = await store.open(SCOPE);
    await lane.commit(said('t1', 'a', 0));
    const other = (await driver!())(directory.file);
    other.exec('BEGIN IMMEDIATE');
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
      if (turns === 5) other.exec('COMMIT');
    }, 5);
    expect(await lane.commit(said('t2', 'b', 1))).toEqual({ revision: 2 });
    clearInterval(ticking);
    expect(turns).toBeGreaterThanOrEqual(5);
    other.close();
    await store.close();
  });

  test('a writer that waited long enough says so, and nothing was written', async () => {
    const store = sqliteStore({ path: directory.file, driver, busyTimeoutMs: 30 });
    const lane = await store.open(SCOPE);
    await lane.commit(said('t1', 'a', 0));
    const other = (await driver!())(directory.file);
    other.exec('BEGIN IMMEDIATE');
    await expect(lane.commit(said('t2', 'b', 1))).rejects.toMatchObject({ code: 'store_busy', retryable: true });
    expect((await lane.load('main')).history).toHaveLength(1);
    other.exec('COMMIT');
    expect(await lane.commit(said('t2', 'b', 1))).toEqual({ revision: 2 });
    other.close();
    await store.close();
  });

  test('a listener that throws disturbs nothing', async () => {
    writeFileSync(directory.file, 'not a database, surely: '.repeat(100));
    const events: StoreEvent[] = [];
    const onEvent = (event: StoreEvent): void => {
      events.push(event);
      throw new Error('listener');
    };
    const store = sqliteStore({ path: directory.file, driver, onCorrupt: 'empty', onEvent });
    expect((await (await store.open(SCOPE)).load('main')).revision).toBe(0);
    expect(events.map(({ type }) => type)).toEqual(['file_set_aside', 'started_empty']);
    await store.close();
  });

  test(`${name} keeps two stores in one process apart and two handles on one file together`, async () => {
    const [a, b] = [sqliteStore({ path: directory.file, driver }), sqliteStore({ path: directory.file, driver })];
    const c = sqliteStore({ path: `${directory.path}/other.db`, driver });
    await Promise.all(
      [a, b, c].map(async (store, index) => {
        const { memory } = await store.open(SCOPE);
        for (let n = 0; n < 10; n += 1) await memory.set(`key${index}-${n}`, n);
      }),
    );
    const counts = await Promise.all([a, b, c].map(async (store) => (await (await store.open(SCOPE)).load('main')).revision));
    expect(counts).toEqual([20, 20, 10]);
    for (const store of [a, b, c]) await store.close();
  });
});
