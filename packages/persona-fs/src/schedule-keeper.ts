import { isPromiseLike } from '@x/core';
import { type SchedulePort, type ScheduleRow, wholeRow } from './schedule.js';

type Change = Partial<Omit<ScheduleRow, 'revision'>>;

/** This process's view of one row, and the only way to change it. Its writes happen one after another. */
export interface ScheduleKeeper {
  readonly row: ScheduleRow;
  /** Reads what is stored; writes `first` when there is nothing. At once when the port answers at once. */
  open(first: ScheduleRow): void | Promise<void>;
  /** Takes over what others wrote; true when that is something new. */
  refresh(): Promise<boolean>;
  /** Writes a change and ends any claim that it does not name. False when another process was faster: then nothing was written. */
  write(change: Change): Promise<boolean>;
  /** Writes a change and leaves the claim as it is. False as for `write`. */
  amend(change: (row: ScheduleRow) => Change): Promise<boolean>;
}

export function createScheduleKeeper(key: string, port: SchedulePort): ScheduleKeeper {
  let row: ScheduleRow = { nextDueMs: 0, anchorMs: 0, failures: 0, revision: 0 };
  let last: Promise<unknown> = Promise.resolve();
  const store = async (next: ScheduleRow, expected: number): Promise<boolean> => {
    if (port.claim !== undefined) return port.claim(key, next, expected);
    // Without claims a look before the write is the best there is.
    const stored = await port.get(key);
    if (stored !== undefined && stored.revision !== expected) return false;
    await port.set(key, next);
    return true;
  };
  const change = (make: () => Change): Promise<boolean> => {
    const run = async (): Promise<boolean> => {
      const next: ScheduleRow = { ...row, ...make(), revision: row.revision + 1 };
      const won = await store(next, row.revision);
      if (won) row = next;
      return won;
    };
    const mine = last.then(run, run);
    last = mine;
    return mine;
  };
  const openWith = (first: ScheduleRow, stored: ScheduleRow | undefined): void | Promise<void> => {
    if (stored !== undefined) {
      row = wholeRow(stored, first);
      return;
    }
    const next = { ...first, revision: 1 };
    const taken = async (): Promise<void> => {
      const theirs = await port.get(key);
      if (theirs !== undefined) row = wholeRow(theirs, first);
    };
    // Until it is written the row counts as none, so that a port that fails now takes it later.
    const end = (won: unknown): void | Promise<void> => {
      if (won === false) return taken();
      row = next;
    };
    const won = port.claim === undefined ? port.set(key, next) : port.claim(key, next, 0);
    return isPromiseLike(won) ? Promise.resolve(won).then(end) : end(won);
  };
  return {
    get row() {
      return row;
    },
    open(first) {
      row = { ...first, revision: 0 };
      const stored = port.get(key);
      return isPromiseLike(stored) ? Promise.resolve(stored).then((found) => openWith(first, found)) : openWith(first, stored);
    },
    async refresh() {
      const stored = await port.get(key);
      if (stored === undefined || stored.revision === row.revision) return false;
      row = wholeRow(stored, row);
      return true;
    },
    write: (made) => change(() => ({ running: undefined, ...made })),
    amend: (made) => change(() => made(row)),
  };
}
