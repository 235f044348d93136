import type { ToldAlarm } from './alarm-key.js';

/** What is kept of one heartbeat between processes. Plain JSON; a port stores all of it, also fields it does not know. */
export interface ScheduleRow {
  /** When the next beat is due; milliseconds since 1970. */
  readonly nextDueMs: number;
  /** When the last beat that was run or dropped was due; absent before the first. */
  readonly lastDueMs?: number | undefined;
  /** Where the grid of intervals begins. */
  readonly anchorMs: number;
  /** Beats that failed in a row. */
  readonly failures: number;
  /** Grows by one with each write. */
  readonly revision: number;
  /** A beat that somebody runs now, and until when that claim holds. */
  readonly running?: { readonly dueAtMs: number; readonly untilMs: number } | undefined;
  /** Keys of tasks that are done for good; no words of theirs. */
  readonly done?: readonly string[] | undefined;
  /** Alarms that were told of late, oldest first; no words of theirs. */
  readonly told?: readonly ToldAlarm[] | undefined;
}

type Maybe<T> = T | Promise<T>;

/** Where rows are kept. May answer at once or later. */
export interface SchedulePort {
  get(key: string): Maybe<ScheduleRow | undefined>;
  set(key: string, row: ScheduleRow): Maybe<void>;
  /**
   * Writes only if the row's revision is still `expected` (0: there is none), and tells whether it did. Without it two
   * processes on one schedule may both run a beat.
   */
  claim?(key: string, row: ScheduleRow, expected: number): Maybe<boolean>;
}

/** A stored row with what is malformed left out: a row that a hand or a fault wrote must not stop beats, nor make them spin. */
export function wholeRow(stored: ScheduleRow, own: ScheduleRow): ScheduleRow {
  const { running, done, told, failures } = stored;
  const time = <T>(value: number | undefined, other: T): number | T => (Number.isFinite(value) ? (value as number) : other);
  return {
    ...stored,
    nextDueMs: time(stored.nextDueMs, own.nextDueMs),
    anchorMs: time(stored.anchorMs, own.anchorMs),
    lastDueMs: time(stored.lastDueMs, undefined),
    failures: Number.isSafeInteger(failures) && failures > 0 ? failures : 0,
    running: Number.isFinite(running?.untilMs) && Number.isFinite(running?.dueAtMs) ? running : undefined,
    done: Array.isArray(done) ? done.filter((key) => typeof key === 'string') : undefined,
    told: Array.isArray(told) ? told.filter((one) => typeof one?.key === 'string' && Number.isFinite(one.atMs)) : undefined,
  };
}

/** A schedule that lives as long as the process. */
export function createMemorySchedule(): SchedulePort {
  const rows = new Map<string, ScheduleRow>();
  return {
    get: (key) => rows.get(key),
    set: (key, row) => void rows.set(key, row),
    claim(key, row, expected) {
      if ((rows.get(key)?.revision ?? 0) !== expected) return false;
      rows.set(key, row);
      return true;
    },
  };
}
