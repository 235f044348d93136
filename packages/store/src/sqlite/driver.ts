import { StoreDriverMissingError } from '../errors.js';

export type SqlValue = string | number | null;

/** What is used of a SQLite driver; better-sqlite3 and Node's own `node:sqlite` both fit. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

export interface SqliteStatement {
  run(...values: SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
}

export type OpenDatabase = ((path: string) => SqliteDatabase) & {
  /** True for better-sqlite3, which a thread can load a second time without a second copy of SQLite. */
  readonly sharesSqlite?: boolean | undefined;
};

/** Milliseconds that a locked database is waited for inside a call; longer waits give the event loop back. */
const INNER_TIMEOUT_MS = 10;

/**
 * Loads a driver: better-sqlite3, else `node:sqlite`, which Node brings from 22.13 on.
 *
 * @throws {@link StoreDriverMissingError} neither is there.
 */
export async function loadDriver(): Promise<OpenDatabase> {
  try {
    return await loadBetterSqlite();
  } catch (cause) {
    try {
      return await loadNodeSqlite();
    } catch {
      throw new StoreDriverMissingError({
        driver: 'better-sqlite3 (and node:sqlite, which Node has from 22.13 on)',
        install: 'npm install better-sqlite3@12',
        cause,
      });
    }
  }
}

export async function loadBetterSqlite(): Promise<OpenDatabase> {
  const { default: Database } = await import('better-sqlite3');
  // The native part loads with the first database, not with the import.
  new Database(':memory:').close();
  const open = (path: string): SqliteDatabase => new Database(path, { timeout: INNER_TIMEOUT_MS }) as SqliteDatabase;
  return Object.assign(open, { sharesSqlite: true });
}

export async function loadNodeSqlite(): Promise<OpenDatabase> {
  // Not a literal, so that a compiler whose Node types lack the module accepts the file.
  const name: string = 'node:sqlite';
  const { DatabaseSync } = (await import(name)) as { readonly DatabaseSync: new (path: string) => SqliteDatabase };
  return (path) => {
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA busy_timeout = ${INNER_TIMEOUT_MS}`);
    return database;
  };
}

/** Why a driver failed, whichever it is. */
export interface SqliteProblem {
  readonly kind: 'busy' | 'corrupt' | 'other';
  /** Such as `SQLITE_FULL` or `EACCES`. */
  readonly code: string;
}

const NAMES: { readonly [code: number]: string } = {
  1: 'ERROR',
  3: 'PERM',
  5: 'BUSY',
  6: 'LOCKED',
  8: 'READONLY',
  10: 'IOERR',
  11: 'CORRUPT',
  13: 'FULL',
  14: 'CANTOPEN',
  19: 'CONSTRAINT',
  26: 'NOTADB',
};

/** Reads the error of a driver or of the file system; `undefined` for one that neither raised. */
export function problemOf(error: unknown): SqliteProblem | undefined {
  const { code, errcode, syscall } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly code?: unknown;
    readonly errcode?: unknown;
    readonly syscall?: unknown;
  };
  let name: string;
  if (typeof errcode === 'number') name = `SQLITE_${NAMES[errcode & 0xff] ?? errcode}`;
  else if (typeof code === 'string' && (code.startsWith('SQLITE_') || typeof syscall === 'string')) name = code;
  else return undefined;
  if (/^SQLITE_(BUSY|LOCKED)/.test(name)) return { kind: 'busy', code: name };
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(name)) return { kind: 'corrupt', code: name };
  return { kind: 'other', code: name };
}
