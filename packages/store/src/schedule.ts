import { InvalidArgumentError, isForbiddenKey, toStoredJson } from '@x/core';
import { readRecord } from './read-records.js';

/** What is kept of one timed thing, such as a heartbeat, between processes. A row may hold more fields; they are kept as they are. */
export interface ScheduleRow {
  /** When it is due next; milliseconds since 1970. */
  readonly nextDueMs: number;
  /** When the last one that was run or dropped was due; absent before the first. */
  readonly lastDueMs?: number | undefined;
  /** Where the grid of intervals begins. */
  readonly anchorMs: number;
  /** Failures in a row. */
  readonly failures: number;
  /** Grows by one with each write. */
  readonly revision: number;
  /** One that somebody runs now, and until when that claim holds. */
  readonly running?: { readonly dueAtMs: number; readonly untilMs: number } | undefined;
}

/**
 * What is due when, kept over restarts and shared by all processes on one database. Fits the `schedule` option of
 * persona-fs's heartbeat as it is. A key that is a lane's key, or begins with it and `#`, leaves with the lane.
 */
export interface Schedule {
  get(key: string): Promise<ScheduleRow | undefined>;
  /** @throws `invalid_argument`, `json_value_invalid` */
  set(key: string, row: ScheduleRow): Promise<void>;
  /** Writes only if the row's revision is still `expected` (0: there is none), and tells whether it did. */
  claim(key: string, row: ScheduleRow, expected: number): Promise<boolean>;
  /** True when there was one. */
  delete(key: string): Promise<boolean>;
  /** Rows that are due and that nobody runs at `nowMs`, the longest due first. */
  due(options: {
    readonly nowMs: number;
    readonly limit?: number | undefined;
  }): Promise<readonly { readonly key: string; readonly row: ScheduleRow }[]>;
}

/** A row as it stands in a table. */
export interface ScheduleColumns {
  readonly dueMs: number;
  /** 0 when nobody runs it. */
  readonly untilMs: number;
  readonly revision: number;
  readonly body: string;
}

/** @throws `invalid_argument`, `json_value_invalid` */
export function columnsOf(key: string, row: ScheduleRow): ScheduleColumns {
  if (typeof key !== 'string' || key === '' || isForbiddenKey(key))
    throw new InvalidArgumentError('schedule: a key is a string that is not empty and no name of an object prototype.');
  if (typeof row !== 'object' || row === null) throw new InvalidArgumentError('schedule: a row is an object.');
  const body = JSON.stringify(toStoredJson(row));
  if (!Number.isFinite(row.nextDueMs)) throw new InvalidArgumentError('schedule: nextDueMs must be a finite number.');
  if (!Number.isSafeInteger(row.revision) || row.revision < 0)
    throw new InvalidArgumentError('schedule: revision must be a whole number of 0 or more.');
  return { dueMs: row.nextDueMs, untilMs: row.running?.untilMs ?? 0, revision: row.revision, body };
}

/** @returns `undefined` for a record that is none: the thing is then scheduled anew. */
export function rowOf(body: string | undefined): ScheduleRow | undefined {
  const value = readRecord(body) as Partial<ScheduleRow> | null | undefined;
  if (typeof value?.nextDueMs !== 'number' || typeof value.revision !== 'number') return undefined;
  return { ...value, nextDueMs: value.nextDueMs, revision: value.revision, anchorMs: value.anchorMs ?? 0, failures: value.failures ?? 0 };
}
