import { existsSync, rmSync, statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sqliteDrivers, temporaryDirectory } from '../../test/sqlite-here.js';
import { loadBetterSqlite, type SqliteDatabase } from './driver.js';
import { createLogMover } from './log-mover.js';
import { sqliteStore } from './sqlite-store.js';

const { there } = await sqliteDrivers();

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

describe.runIf(there.some(([name]) => name === 'better-sqlite3'))('with better-sqlite3', () => {
  const write = (database: SqliteDatabase, rows: number): void => {
    for (let row = 0; row < rows; row += 1) database.prepare('INSERT INTO line (text) VALUES (?)').run('x'.repeat(3_000));
  };
  const open = async (): Promise<SqliteDatabase> => {
    const database = (await loadBetterSqlite())(directory.file);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE line (text TEXT)');
    return database;
  };

  test('after so many commits the log is moved into the file, by no commit', async () => {
    const database = await open();
    const mover = createLogMover(directory.file, 3);
    write(database, 50);
    const before = statSync(directory.file).size;
    mover.committed();
    mover.committed();
    await mover.close();
    expect(statSync(directory.file).size).toBe(before);
    const again = createLogMover(directory.file, 3);
    for (let commit = 0; commit < 3; commit += 1) again.committed();
    await again.close();
    expect(statSync(directory.file).size).toBeGreaterThan(before + 100_000);
    // All of the log stands in the file, so that the next write begins it anew.
    expect(database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()).toMatchObject({ busy: 0 });
    expect((database.prepare('SELECT count(*) AS rows FROM line').get() as { rows: number }).rows).toBe(50);
    database.close();
  });

  test('commits that come while it is moved are counted, not lost', async () => {
    const database = await open();
    const mover = createLogMover(directory.file, 1);
    for (let commit = 0; commit < 200; commit += 1) {
      write(database, 1);
      mover.committed();
    }
    await mover.close();
    const last = createLogMover(directory.file, 1);
    last.committed();
    await last.close();
    const { log, checkpointed } = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() as { log: number; checkpointed: number };
    expect(log).toBe(checkpointed);
    expect((database.prepare('SELECT count(*) AS rows FROM line').get() as { rows: number }).rows).toBe(200);
    database.close();
  });

  test('a program that waits for nothing but the end of it does not end before, whatever messages are still to be read', async () => {
    const calls: string[] = [];
    for (const name of ['ref', 'unref'] as const) {
      const real = Worker.prototype[name];
      vi.spyOn(Worker.prototype, name).mockImplementation(function (this: Worker) {
        calls.push(name);
        real.call(this);
      });
    }
    const database = await open();
    const mover = createLogMover(directory.file, 1);
    const moved = (): number => calls.filter((name) => name === 'ref').length;
    for (let commit = 0; commit < 20_000 && moved() < 3; commit += 1) {
      write(database, 1);
      mover.committed();
    }
    expect(moved()).toBe(3);
    write(database, 5_000); // long enough for the last move, whose message is still to be read
    await mover.close();
    expect(calls.at(-1)).toBe('ref');
    database.close();
    vi.restoreAllMocks();
  });

  test('a file that is not there is not made, and whoever waits is not left waiting', async () => {
    const database = await open();
    database.close();
    rmSync(directory.file);
    const one = createLogMover(directory.file, 1);
    const other = createLogMover(directory.file, 1);
    one.committed();
    other.committed();
    await Promise.all([one.close(), other.close()]);
    expect(existsSync(directory.file)).toBe(false);
  });

  test('one that is closed moves nothing more, though a commit still comes', async () => {
    const database = await open();
    const begun = vi.spyOn(Worker.prototype, 'postMessage');
    const mover = createLogMover(directory.file, 1);
    await mover.close();
    mover.committed();
    expect(begun).not.toHaveBeenCalled();
    begun.mockRestore();
    database.close();
  });

  test('what is erased while the log is being moved does not stay in the log, and whoever closes twice waits twice', async () => {
    const scope = { persona: 'tutor', user: 'ada', session: 's1' };
    const store = sqliteStore({ path: directory.file, busyTimeoutMs: 0 });
    await store.forget(scope); // makes the tables
    const database = await open();
    const mover = createLogMover(directory.file, 1);
    write(database, 5_000);
    const before = statSync(directory.file).size;
    mover.committed();
    const until = Date.now() + 5_000;
    while (statSync(directory.file).size === before && Date.now() < until);
    await store.forget(scope);
    expect(statSync(`${directory.file}-wal`).size).toBe(0);
    database.close();
    void store.close();
    await store.close();
    expect(existsSync(`${directory.file}-wal`)).toBe(false);
    await mover.close();
  });
});

test('one that was never needed closes at once', async () => {
  await expect(createLogMover(directory.file).close()).resolves.toBeUndefined();
});
