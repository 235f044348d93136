import type { SchedulePort, ScheduleRow } from './schedule.js';

/** This process's view of one row, and the only way to change it. */
export interface ScheduleKeeper {
  readonly row: ScheduleRow;
  /** Reads what is stored; writes `first` when there is nothing. At once when the port answers at once. */
  open(first: ScheduleRow): void | Promise<void>;
  /** Takes over what others wrote; true when that is something new. */
  refresh(): Promise<boolean>;
  /** Writes a change and ends any claim that it does not name. False when another process was faster. */
  write(change: Partial<ScheduleRow>): Promise<boolean>;
}

export function createScheduleKeeper(key: string, port: SchedulePort): ScheduleKeeper {
  let row: ScheduleRow = { nextDueMs: 0, anchorMs: 0, failures: 0, revision: 0 };
  const store = (next: ScheduleRow, expected: number): boolean | Promise<boolean> =>
    port.claim === undefined ? afterwards(port.set(key, next), () => true) : port.claim(key, next, expected);
  return {
    get row() {
      return row;
    },
    open: (first) =>
      afterwards(port.get(key), (stored) => {
        row = stored ?? { ...first, revision: 1 };
        if (stored !== undefined) return;
        return afterwards(store(row, 0), async (won) => {
          if (!won) row = (await port.get(key)) ?? row;
        });
      }),
    async refresh() {
      const stored = await port.get(key);
      if (stored === undefined || stored.revision === row.revision) return false;
      row = stored;
      return true;
    },
    async write(change) {
      const next: ScheduleRow = { ...row, running: undefined, ...change, revision: row.revision + 1 };
      const won = await store(next, row.revision);
      if (won) row = next;
      return won;
    },
  };
}

/** `then` without a detour through the event loop where the value is there already. */
function afterwards<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return isPromise(value) ? value.then(next) : next(value);
}

export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> => typeof (value as Promise<T> | undefined)?.then === 'function';
