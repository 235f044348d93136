import { existsSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createVirtualClock } from '@x/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { said } from '../../test/durable-contract.js';
import { sqliteDrivers, temporaryDirectory } from '../../test/sqlite-here.js';
import type { StoreEvent } from '../durable-store.js';
import { sqliteStore } from './sqlite-store.js';

const { there } = await sqliteDrivers();
const SCOPE = { persona: 'ava', user: 'anna', session: '1' };

describe.skipIf(there.length === 0)(`SQLite${there.length === 0 ? ': left out, no driver can be loaded here' : ''}`, () => {
  const driver = there[0]?.[1];
  let directory: ReturnType<typeof temporaryDirectory>;
  let events: StoreEvent[];
  beforeEach(() => {
    directory = temporaryDirectory();
    events = [];
  });
  afterEach(() => directory.remove());
  const open = (options: Partial<Parameters<typeof sqliteStore>[0]> = {}) =>
    sqliteStore({ path: directory.file, driver, onEvent: (event) => events.push(event), ...options });
  const aside = () => readdirSync(directory.path).filter((name) => name.includes('.corrupt-'));

  test('an unreadable file is kept under another name, reported, and never replaced by an empty one unasked', async () => {
    const garbage = 'this was somebody’s only copy '.repeat(200);
    writeFileSync(directory.file, garbage);
    const store = open();
    await expect((await store.open(SCOPE)).load('main')).rejects.toMatchObject({ code: 'store_corrupt', retryable: false });
    expect(aside()).toHaveLength(1);
    expect(readFileSync(`${directory.path}/${aside()[0]}`, 'utf8')).toBe(garbage);
    expect(events).toEqual([{ type: 'file_set_aside', path: directory.file, setAside: `${directory.path}/${aside()[0]}` }]);
    await expect(store.takeFence(SCOPE)).rejects.toMatchObject({ code: 'store_corrupt' });
    await store.close();
    const next = open();
    await expect(next.takeFence(SCOPE)).rejects.toMatchObject({ code: 'store_corrupt', setAside: `${directory.path}/${aside()[0]}` });
    await next.close();
    expect(existsSync(directory.file)).toBe(false);
    const accepted = open({ onCorrupt: 'empty' });
    expect((await (await accepted.open(SCOPE)).load('main')).revision).toBe(0);
    expect(events.at(-1)).toEqual({ type: 'started_empty', path: directory.file, setAside: [`${directory.path}/${aside()[0]}`] });
    await accepted.close();
    const later = open();
    expect(await later.takeFence(SCOPE)).toBe(1);
    await later.close();
  });

  test('a good copy put back at the path is used', async () => {
    const first = open();
    await (await first.open(SCOPE)).commit(said('t1', 'kept', 0));
    await first.close();
    const copy = readFileSync(directory.file);
    writeFileSync(directory.file, 'broken '.repeat(1000));
    const broken = open();
    await expect(broken.takeFence(SCOPE)).rejects.toMatchObject({ code: 'store_corrupt' });
    await broken.close();
    writeFileSync(directory.file, copy);
    const store = open();
    expect((await (await store.open(SCOPE)).load('main')).history).toHaveLength(1);
    await store.close();
  });

  test('a file that lost its second half is set aside when that is noticed, with the log beside it', async () => {
    const first = open();
    const lane = await first.open(SCOPE);
    for (let n = 0; n < 60; n += 1) await lane.commit(said(`t${n}`, `${n} ${'text '.repeat(500)}`, n));
    await first.close();
    truncateSync(directory.file, Math.floor(readFileSync(directory.file).length / 8192) * 4096);
    const store = open();
    await expect((await store.open(SCOPE)).load('main', { original: true })).rejects.toMatchObject({ code: 'store_corrupt' });
    expect(aside().length).toBeGreaterThan(0);
    await store.close();
  });

  test('nothing is acknowledged that went into a file which was deleted or replaced meanwhile', async () => {
    const gone = { code: 'store_failed', driverCode: 'SQLITE_READONLY_DBMOVED', retryable: true };
    const remove = (): void => {
      for (const end of ['', '-wal', '-shm']) rmSync(directory.file + end, { force: true });
    };
    const other = sqliteStore({ path: `${directory.path}/backup.db`, driver });
    await (await other.open(SCOPE)).memory.set('from', 'backup');
    await other.close();
    const clock = createVirtualClock(0);
    const store = open({ clock });
    const lane = await store.open(SCOPE);
    await lane.memory.set('from', 'before');
    remove();
    await clock.advance(10);
    await expect(Promise.all([lane.memory.set('a', 1), lane.memory.set('b', 1)])).rejects.toMatchObject(gone);
    await lane.memory.set('a', 2);
    remove();
    await clock.advance(10);
    renameSync(`${directory.path}/backup.db`, directory.file);
    await expect(lane.memory.set('a', 3)).rejects.toMatchObject(gone);
    await lane.memory.set('a', 4);
    expect([await lane.memory.get('from'), await lane.memory.get('a')]).toEqual(['backup', 4]);
    await store.close();
    const again = open();
    expect(await (await again.open(SCOPE)).memory.get('a')).toBe(4);
    await again.close();
    expect(aside()).toEqual([]);
  });

  test('a good copy that was put in the place of an open, broken file is not set aside for it', async () => {
    const good = sqliteStore({ path: `${directory.path}/good.db`, driver });
    await (await good.open(SCOPE)).commit(said('t1', 'kept', 0));
    await good.close();
    const first = open();
    const lane = await first.open(SCOPE);
    for (let n = 0; n < 60; n += 1) await lane.commit(said(`t${n}`, `${n} ${'text '.repeat(500)}`, n));
    await first.close();
    const store = open();
    const reading = await store.open(SCOPE);
    expect(await reading.memory.get('nothing')).toBeUndefined();
    truncateSync(directory.file, 8192);
    renameSync(directory.file, `${directory.path}/away.db`);
    renameSync(`${directory.path}/good.db`, directory.file);
    await expect(reading.load('main', { original: true })).rejects.toMatchObject({ code: 'store_failed', retryable: true });
    expect((await reading.load('main')).history).toHaveLength(1);
    expect(aside()).toEqual([]);
    await store.close();
  });

  test('after a forgetting, files that were set aside are named', async () => {
    writeFileSync(directory.file, 'broken '.repeat(1000));
    const store = open({ onCorrupt: 'empty' });
    await store.forget(SCOPE);
    expect(events.at(-1)).toEqual({ type: 'set_aside_remains', setAside: [`${directory.path}/${aside()[0]}`] });
    await store.close();
  });

  const damage = async (sql: string): Promise<void> => {
    const database = (await driver!())(directory.file);
    database.exec(sql);
    database.close();
  };
  const build = async (): Promise<void> => {
    const store = open();
    const lane = await store.open(SCOPE, { initial: { mood: 'curious' } });
    const note = { before: 't0', part: 'state', text: 'x' };
    for (let n = 0; n < 4; n += 1) {
      const { conversation, ...rest } = said(`t${n}`, `text ${n}`, n);
      await lane.commit({ ...rest, conversation: { ...conversation!, blocks: [note, { ...note, text: 'y' }] } });
    }
    await store.close();
  };

  for (const [what, sql, check] of [
    ['a message', 'UPDATE message SET body = \'{"id":\' WHERE seq = 1', { history: ['t0', 't2', 't3'] }],
    [
      'a message of an older shape',
      `UPDATE message SET body = '{"id":"t1","role":"user","text":"old"}' WHERE seq = 1`,
      { history: ['t0', 't2', 't3'] },
    ],
    ['a message that is null', `UPDATE message SET body = 'null' WHERE seq = 1`, { history: ['t0', 't2', 't3'] }],
    [
      'a message with calls that are none',
      `UPDATE message SET body = '{"id":"t1","role":"assistant","content":null,"tool_calls":[null]}' WHERE seq = 1`,
      { history: ['t0', 't2', 't3'] },
    ],
    [
      'a page of which one message is none',
      `INSERT INTO page (conversation, seq, next_seq, body) SELECT conversation, 0, 2, '[' || body || ',{"role":5}]' FROM message WHERE seq = 0;
       DELETE FROM message WHERE seq < 2`,
      { history: ['t0', 't2', 't3'] },
    ],
    ['a note', "UPDATE block SET body = '' WHERE seq = 0", { blocks: ['y'] }],
    ['the parked turn', "UPDATE conversation SET parked = '{'", {}],
    ['the pending events', "UPDATE lane SET events = 'null'", {}],
    ['a note that is null', "UPDATE block SET body = 'null' WHERE seq = 0", { blocks: ['y'] }],
    ['a note of another shape', `UPDATE block SET body = '{"before":5,"text":"x"}' WHERE seq = 0`, { blocks: ['y'] }],
    ['a parked turn of another shape', "UPDATE conversation SET parked = '{}'", {}],
    [
      'a parked turn with a message that is none',
      `UPDATE conversation SET parked = '{"turn":"t","callId":"c","current":[null],"request":{"id":"r","kind":"k","prompt":"p"}}'`,
      {},
    ],
    ['a pending event that is null', "UPDATE lane SET events = '[null]'", {}],
    ['a background batch that is null', 'UPDATE lane SET batches = \'[null,{"id":"b"}]\'', {}],
    ['a fold with a message that is none', `INSERT INTO fold SELECT id, '{"segments":[null],"tail":0}' FROM conversation`, {}],
    ['a fold without its tail', `INSERT INTO fold SELECT id, '{"segments":[]}' FROM conversation`, {}],
    ['a fold that points past the end', `INSERT INTO fold SELECT id, '{"segments":[[0,9000000000]],"tail":4}' FROM conversation`, {}],
  ] as const) {
    test(`${what} that cannot be read is put aside and reported once, and the rest is used`, async () => {
      await build();
      await damage(sql);
      const store = open();
      const lane = await store.open(SCOPE);
      const { history, blocks, state, parked, events: pending } = await lane.load('main');
      expect(history.map(({ id }) => id)).toEqual('history' in check ? check.history : ['t0', 't1', 't2', 't3']);
      expect(blocks.map(({ text }) => text)).toEqual('blocks' in check ? check.blocks : ['x', 'y']);
      expect([state.values['last'], state.mood, parked, pending]).toEqual(['text 3', 'curious', undefined, []]);
      expect(events.map(({ type }) => type)).toEqual(['record_set_aside']);
      await lane.commit(said('t4', 'text 4', 4));
      events.length = 0;
      expect((await lane.load('main')).history.at(-1)?.id).toBe('t4');
      expect(events).toEqual([]);
      await store.close();
      const database = (await driver!())(directory.file);
      expect(database.prepare('SELECT count(*) AS count FROM set_aside').get()).toEqual({ count: 1 });
      database.close();
    });
  }

  test('a state that cannot be read is made again from the operation log', async () => {
    await build();
    await damage('UPDATE lane SET state = \'{"mood":\'');
    const store = open();
    const lane = await store.open(SCOPE, { initial: { mood: 'creative' } });
    const { state, revision } = await lane.load('main');
    expect([state.mood, state.values, revision]).toEqual(['curious', { last: 'text 3' }, 4]);
    expect(events.map(({ type }) => type)).toEqual(['record_set_aside', 'state_rebuilt']);
    await lane.commit(said('t4', 'text 4', 4));
    events.length = 0;
    expect((await lane.load('main')).state.values).toEqual({ last: 'text 4' });
    expect(events).toEqual([]);
    await store.close();
  });

  test('a state from before a field existed gets its default, and a number that is none leaves', async () => {
    await build();
    await damage(`UPDATE lane SET state = '{"mood":"curious","traits":{"openness":0.7,"honesty":null,"emotionality":7}}'`);
    const store = open();
    const { state } = await (await store.open(SCOPE)).load('main');
    expect(state).toEqual({
      mood: 'curious',
      skill: 'novice',
      complexity: 'moderate',
      traits: { openness: 0.7 },
      imprints: {},
      values: {},
    });
    await store.close();
  });

  test('a good event beside a bad one is kept', async () => {
    await build();
    const event = { eventType: 'user_confused', timestamp: '2026-01-01T00:00:00.000Z', turnId: 't3', severity: 'low', metadata: {} };
    await damage(`UPDATE lane SET events = '${JSON.stringify([5, event])}'`);
    const store = open();
    expect((await (await store.open(SCOPE)).load('main')).events).toEqual([event]);
    await store.close();
  });

  test('an unreadable hash of the prefix is none', async () => {
    await build();
    await damage("UPDATE conversation SET stable_hash = '\\'");
    const store = open();
    expect((await (await store.open(SCOPE)).load('main')).stableHash).toBe('');
    await store.close();
  });

  test.each(['x', '5', 'null', '{}', '{"id":"t1-op","turn":"t1"}'])('one record of the log that reads %s hides no other', async (body) => {
    await build();
    await damage(`UPDATE operation SET body = '${body}' WHERE seq = 2`);
    const store = open();
    const seen: string[] = [];
    for await (const { turn } of (await store.open(SCOPE)).operations()) seen.push(turn);
    expect(seen).toEqual(['t0', 't2', 't3']);
    expect(events).toEqual([{ type: 'record_set_aside', table: 'operation', lane: 'ava/anna/1', record: '2' }]);
    await store.close();
  });
});
