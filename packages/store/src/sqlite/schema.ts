import { InvalidArgumentError } from '@x/core';
import { StoreVersionError } from '../errors.js';
import type { SqliteDatabase } from './driver.js';

/** `x_as` in ASCII: what `file` and SQLite's tools show as the application id. */
const APPLICATION_ID = 0x785f6173;

/** Each entry brings the schema from its index to the next number. Never change one that was published: add another. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE lane (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    revision INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    initial TEXT,
    state TEXT,
    events TEXT NOT NULL,
    batches TEXT NOT NULL
  );
  CREATE INDEX lane_owner ON lane (owner);
  CREATE TABLE turn (
    lane INTEGER NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (lane, id)
  ) WITHOUT ROWID;
  CREATE TABLE operation (
    seq INTEGER PRIMARY KEY,
    lane INTEGER NOT NULL,
    id TEXT NOT NULL,
    at_ms REAL NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX operation_order ON operation (lane, at_ms, seq);
  CREATE INDEX operation_id ON operation (lane, id);
  CREATE TABLE conversation (
    id INTEGER PRIMARY KEY,
    lane INTEGER NOT NULL,
    name TEXT NOT NULL,
    revision INTEGER NOT NULL,
    next_seq INTEGER NOT NULL,
    from_seq INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    blocks_hash TEXT NOT NULL,
    stable_hash TEXT NOT NULL,
    parked TEXT,
    UNIQUE (lane, name)
  );
  CREATE TABLE message (
    conversation INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (conversation, seq)
  ) WITHOUT ROWID;
  CREATE TABLE page (
    conversation INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    next_seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (conversation, seq)
  ) WITHOUT ROWID;
  CREATE TABLE fold (conversation INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE block (
    conversation INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (conversation, seq)
  ) WITHOUT ROWID;
  CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,
    lane INTEGER NOT NULL,
    turn TEXT NOT NULL,
    at_ms REAL NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX journal_turn ON journal (lane, turn, seq);
  CREATE INDEX journal_age ON journal (at_ms);
  CREATE TABLE schedule (
    key TEXT PRIMARY KEY,
    due_ms REAL NOT NULL,
    until_ms REAL NOT NULL,
    revision INTEGER NOT NULL,
    body TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX schedule_due ON schedule (due_ms);
  CREATE TABLE set_aside (
    seq INTEGER PRIMARY KEY,
    lane INTEGER NOT NULL,
    source TEXT NOT NULL,
    record TEXT NOT NULL,
    body BLOB,
    at_ms REAL NOT NULL
  );
  `,
  `
  DROP INDEX operation_order;
  CREATE INDEX operation_lane ON operation (lane);
  `,
  `
  DROP INDEX operation_id;
  CREATE INDEX operation_trait ON operation (lane) WHERE body LIKE '%"trait":%';
  `,
  // Pages may hold messages as their texts alone, which an older package would take for damage.
  '',
];

/** The newest schema that this package knows. */
export const SCHEMA_VERSION = MIGRATIONS.length;

export interface SchemaOptions {
  readonly durability: 'full' | 'normal';
  /** Pages of 4 KiB in the log at which a commit moves them into the file. */
  readonly logPages: number;
  readonly onMigrated?: ((from: number, to: number) => void) | undefined;
}

/**
 * Sets a connection up and brings the schema up to date, in one transaction.
 *
 * @throws {@link StoreVersionError} a newer package wrote the file.
 */
export function prepareDatabase(database: SqliteDatabase, { durability, logPages, onMigrated }: SchemaOptions): void {
  // Before anything else: a file of another program must not be switched to WAL.
  if (isForeign(database, versionOf(database))) throw foreign();
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'};
    PRAGMA wal_autocheckpoint = ${logPages};
    PRAGMA journal_size_limit = ${logPages * 4096};
    PRAGMA secure_delete = ON;
  `);
  if (versionOf(database) === SCHEMA_VERSION) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    const from = versionOf(database);
    if (isForeign(database, from)) throw foreign();
    if (from > SCHEMA_VERSION) throw new StoreVersionError({ found: from, known: SCHEMA_VERSION });
    for (const migration of MIGRATIONS.slice(from)) database.exec(migration);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
    if (from > 0 && from < SCHEMA_VERSION) onMigrated?.(from, SCHEMA_VERSION);
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Takes an open transaction back. */
export function rollBack(database: SqliteDatabase): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // SQLite has already taken the transaction back, as it does when the disk is full.
  }
}

function versionOf(database: SqliteDatabase): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

function isForeign(database: SqliteDatabase, version: number): boolean {
  const { application_id: application } = database.prepare('PRAGMA application_id').get() as { application_id: number };
  if (version > 0 || application !== 0) return application !== APPLICATION_ID;
  return database.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() !== undefined;
}

const foreign = (): InvalidArgumentError =>
  new InvalidArgumentError('path: this file is a database of another program. Choose another path; nothing was changed.');
