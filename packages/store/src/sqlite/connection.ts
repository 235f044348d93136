import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Clock, isAgentosError, type Random } from '@x/core';
import { type StoreEvent, tell } from '../durable-store.js';
import { StoreBusyError, StoreClosedError, StoreCorruptError, StoreFailedError } from '../errors.js';
import { loadDriver, type OpenDatabase, problemOf, type SqliteDatabase, type SqliteStatement } from './driver.js';
import { createLogMover, type LogMover } from './log-mover.js';
import { prepareDatabase, rollBack } from './schema.js';

export interface ConnectionOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly busyTimeoutMs: number;
  readonly durability: 'full' | 'normal';
  readonly onCorrupt: 'fail' | 'empty';
  readonly onEvent?: ((event: StoreEvent) => void) | undefined;
  readonly driver?: (() => Promise<OpenDatabase>) | undefined;
}

/** A statement for the given text, made once per connection. */
export type Prepare = (sql: string) => SqliteStatement;

/** One database file, opened on first use. Work inside runs without a pause: nothing of this process comes between. */
export interface Connection {
  /** Runs reads on one state of the data. @throws `store_busy`, `store_corrupt`, `store_closed`, `store_failed` */
  read<T>(work: (prepare: Prepare) => T): Promise<T>;
  /** Runs reads and writes as one transaction; what `work` throws takes all of it back. */
  write<T>(work: (prepare: Prepare) => T): Promise<T>;
  /** Moves all that is committed into the one file, and cuts the log. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

interface Open {
  readonly database: SqliteDatabase;
  readonly prepare: Prepare;
  /** Of the file that was opened; none in memory. */
  readonly inode: number | undefined;
}

const MEMORY = ':memory:';
const WRITE = 'BEGIN IMMEDIATE';
/** Asking the system where a file is takes as long as a part of a commit. */
const LOOK_EVERY_MS = 2;
/** Pages in the log at which a commit moves them itself. Most were moved by then where a thread does it, so more may gather. */
const LOG_PAGES = { own: 4000, moved: 12000 } as const;
/** SQLite's name for a file that is not at its path any more. */
const MOVED = 'SQLITE_READONLY_DBMOVED';

export function createConnection(options: ConnectionOptions): Connection {
  const { clock, random, busyTimeoutMs, onEvent } = options;
  const path = options.path === MEMORY ? MEMORY : resolve(options.path);
  let opening: Promise<Open> | undefined;
  let inUse: Open | undefined;
  let failure: StoreCorruptError | undefined;
  let mover: LogMover | undefined;
  let closing: Promise<void> | undefined;
  let lookedMs = Number.NEGATIVE_INFINITY;

  /** What is written into a file that was moved or deleted is lost to everybody else; so it is looked at, but not each time. */
  const isMoved = (open: Open): boolean => {
    const nowMs = clock.now();
    if (Math.abs(nowMs - lookedMs) < LOOK_EVERY_MS) return false;
    lookedMs = nowMs;
    return isElsewhere(path, open);
  };

  /** Closes a database that went bad, unless another piece of work has done so. */
  const leave = (open: Open | undefined): void => {
    if (open !== inUse) return;
    opening = undefined;
    inUse = undefined;
    open?.database.close();
  };

  const corrupt = (open: Open | undefined, cause: unknown): StoreCorruptError | StoreFailedError => {
    leave(open);
    // What stands at the path now may be the good copy that somebody put there.
    if (open && isElsewhere(path, open)) return new StoreFailedError({ driverCode: MOVED, retryable: true, cause });
    const setAside = setFileAside(path, clock.now());
    if (setAside !== undefined) tell(onEvent, { type: 'file_set_aside', path, setAside });
    const error = new StoreCorruptError({ path, setAside, cause });
    if (options.onCorrupt === 'fail') failure = error;
    return error;
  };

  /** Runs `work` until the database is not locked, giving the event loop back between tries. */
  const untilFree = async <T>(work: () => T): Promise<T> => {
    const startMs = clock.now();
    for (let tries = 1; ; tries += 1) {
      try {
        return work();
      } catch (error) {
        if (problemOf(error)?.kind !== 'busy') throw error;
        const waitedMs = clock.now() - startMs;
        if (waitedMs >= busyTimeoutMs) throw new StoreBusyError({ waitedMs, cause: error });
        const pauseMs = 1 + Math.floor(random() * Math.min(50, 5 * tries));
        await new Promise<void>((done) => void clock.setTimeout(done, pauseMs));
      }
    }
  };

  const openOnce = async (): Promise<Open> => {
    const openDatabase = await (options.driver ?? loadDriver)();
    if (openDatabase.sharesSqlite && path !== MEMORY) mover ??= createLogMover(path);
    const aside = filesSetAside(path);
    if (aside.length > 0 && isMissing(path)) {
      if (options.onCorrupt === 'fail') throw new StoreCorruptError({ path, setAside: aside.at(-1) });
      tell(onEvent, { type: 'started_empty', path, setAside: aside });
    }
    const isNew = path !== MEMORY && !existsSync(path);
    if (isNew) mkdirSync(dirname(path), { recursive: true });
    const database = openDatabase(path);
    const inode = path === MEMORY ? undefined : inodeOf(path);
    try {
      if (isNew) chmodSync(path, 0o600); // It holds what people said.
      const { durability } = options;
      await untilFree(() =>
        prepareDatabase(database, {
          durability,
          logPages: LOG_PAGES[mover ? 'moved' : 'own'],
          onMigrated: (from, to) => tell(onEvent, { type: 'migrated', from, to }),
        }),
      );
    } catch (error) {
      database.close();
      throw error;
    }
    const statements = new Map<string, SqliteStatement>();
    const prepare: Prepare = (sql) => {
      const known = statements.get(sql) ?? database.prepare(sql);
      statements.set(sql, known);
      return known;
    };
    inUse = { database, prepare, inode };
    return inUse;
  };

  const open = async (): Promise<Open> => {
    if (closing !== undefined) throw new StoreClosedError();
    if (failure) throw failure;
    opening ??= openOnce()
      .catch((error: unknown) => {
        if (problemOf(error)?.kind !== 'corrupt') throw error;
        const first = corrupt(undefined, error);
        if (options.onCorrupt === 'fail' || !('setAside' in first) || first.setAside === undefined) throw first;
        return openOnce();
      })
      .catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
    return opening;
  };

  const run = async <T>(begin: string, work: (prepare: Prepare) => T): Promise<T> => {
    let opened: Open | undefined;
    try {
      const now = await open();
      opened = now;
      const { database, prepare } = now;
      return await untilFree(() => {
        database.exec(begin);
        try {
          if (begin === WRITE && isMoved(now)) throw new StoreFailedError({ driverCode: MOVED, retryable: true });
          const result = work(prepare);
          database.exec('COMMIT');
          if (begin === WRITE) mover?.committed();
          return result;
        } catch (error) {
          rollBack(database);
          throw error;
        }
      });
    } catch (error) {
      if (error instanceof StoreFailedError && error.driverCode === MOVED) leave(opened);
      if (isAgentosError(error)) throw error;
      const problem = problemOf(error);
      if (!problem && closing !== undefined) throw new StoreClosedError();
      if (opened && opened !== inUse) throw new StoreFailedError({ driverCode: MOVED, retryable: true, cause: error });
      if (!problem) throw error;
      if (problem.kind === 'corrupt') throw corrupt(opened, error);
      throw new StoreFailedError({ driverCode: problem.code, retryable: /FULL|IOERR|ENOSPC/.test(problem.code), cause: error });
    }
  };

  const closeOnce = async (): Promise<void> => {
    const opened = await opening?.catch(() => undefined);
    await mover?.close();
    opened?.database.close();
  };

  return {
    read: (work) => run('BEGIN', work),
    write: (work) => run(WRITE, work),
    async checkpoint() {
      const { database } = await open();
      await mover?.calm(); // while the log is being moved it cannot be cut
      const until = clock.now() + busyTimeoutMs;
      // Busy while another process reads an older state; then the next checkpoint does it.
      while ((database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }).busy !== 0 && clock.now() < until) {
        await new Promise<void>((done) => void clock.setTimeout(done, 20));
      }
    },
    close() {
      closing ??= closeOnce();
      return closing;
    },
  };
}

/** True when another file, or none, stands at the path of an open database. */
function isElsewhere(path: string, { inode }: Pick<Open, 'inode'>): boolean {
  return inode !== undefined && inodeOf(path) !== inode;
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function isMissing(path: string): boolean {
  return !existsSync(path) || statSync(path).size === 0;
}

/** Unreadable files that stand beside the database, oldest first. */
export function filesSetAside(path: string): readonly string[] {
  if (path === MEMORY || !existsSync(dirname(path))) return [];
  const start = `${basename(path)}.corrupt-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(start) && !/-(wal|shm)$/.test(name))
    .sort()
    .map((name) => join(dirname(path), name));
}

function setFileAside(path: string, nowMs: number): string | undefined {
  if (path === MEMORY || !existsSync(path)) return undefined;
  const stamp = new Date(nowMs).toISOString().replace(/[:.]/g, '-');
  let target = `${path}.corrupt-${stamp}`;
  for (let copy = 2; existsSync(target); copy += 1) target = `${path}.corrupt-${stamp}-${copy}`;
  try {
    renameSync(path, target);
    // The log belongs to the file: beside a new one it would be read as that one's.
    for (const end of ['-wal', '-shm']) if (existsSync(path + end)) renameSync(path + end, target + end);
    return target;
  } catch {
    return undefined;
  }
}
