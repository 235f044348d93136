import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MemoryBusyError } from './errors.js';
import { closeSync, lstatSync, openSync, readdirSync, unlinkSync, writeSync } from './node-files.js';
import { isAlive, type ProcessMark } from './process-mark.js';
import { randomHex } from './random-hex.js';

export interface DirLock {
  /** Throws `memory_busy` when another machine took this holder for dead. Call it just before what must not be torn. */
  assertHeld(): void;
  release(): void;
}

export interface DirLockOptions {
  /** Who asks; from `thisProcess()`. */
  readonly self: ProcessMark;
  /** Milliseconds to wait for the others. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const REFRESH_MS = 5_000;
/** After so long without a sign of life a holder on another machine counts as dead. */
const STALE_MS = 30_000;
/** The process table is asked for start times only every so many looks; whether a process exists, each time. */
const LOOKS_PER_CHECK = 8;

/**
 * A lock between processes that is fair and survives `kill -9`: Lamport's bakery (doi:10.1145/361082.361093) with one
 * file per customer. Each takes a number above all it sees and waits until nobody lower is left; a dead customer's
 * file, whose name belongs to it alone, may be removed by anyone without a race.
 *
 * @param dir - An existing directory for the files, already checked to be no link.
 * @throws {@link MemoryBusyError} after `timeoutMs`, or `signal.reason`.
 */
export async function lockDir(dir: string, options: DirLockOptions): Promise<DirLock> {
  const me = `${markName(options.self)}-${randomHex(6)}`;
  const choosing = join(dir, `c-${me}`);
  touch(choosing);
  let ticket: string;
  try {
    const highest = Math.max(0, ...readCustomers(dir).map(({ number }) => number ?? 0));
    ticket = join(dir, `t-${String(highest + 1).padStart(12, '0')}-${me}`);
    touch(ticket);
  } finally {
    remove(choosing);
  }
  const refresh = setInterval(() => refreshTime(ticket), REFRESH_MS);
  refresh.unref();
  const release = (): void => {
    clearInterval(refresh);
    remove(ticket);
  };
  try {
    await waitForTurn(dir, ticket, options);
  } catch (error) {
    release();
    throw error;
  }
  return {
    release,
    assertHeld() {
      if (!exists(ticket)) throw new MemoryBusyError('another machine took the lock over, because this process was silent for too long');
    },
  };
}

interface Customer {
  readonly file: string;
  /** Absent while the customer still chooses. */
  readonly number?: number | undefined;
  readonly mark: ProcessMark;
}

async function waitForTurn(dir: string, ticket: string, { self, timeoutMs, signal }: DirLockOptions): Promise<void> {
  const mine = ticket.slice(dir.length + 1);
  const deadline = performance.now() + timeoutMs;
  // Whoever chose before this ticket stood may hold a lower number. They are waited out; whoever chooses later sees it.
  let choosers = new Set(readCustomers(dir).flatMap(({ file, number }) => (number === undefined ? [file] : [])));
  for (let look = 0; ; look += 1) {
    signal?.throwIfAborted();
    const others = readCustomers(dir).filter(({ file }) => file !== mine);
    const ahead = others.filter(({ file, number }) => (number === undefined ? choosers.has(file) : file < mine));
    choosers = new Set(ahead.flatMap(({ file, number }) => (number === undefined ? [file] : [])));
    // Removing a dead customer's file is safe for anyone: no living process ever uses that name again.
    const living = ahead.filter((customer) => !isDead(dir, customer, ticket, self, look % LOOKS_PER_CHECK === 0));
    if (living.length === 0) {
      if (!exists(ticket)) throw new MemoryBusyError('the lock was lost while waiting');
      return;
    }
    if (performance.now() > deadline) throw new MemoryBusyError(`${living.length} other writers did not finish in ${timeoutMs} ms`);
    // The look at the top of the loop throws the signal's own reason.
    await wait(living.length === 1 ? 1 : Math.min(2 * living.length, 20), undefined, { signal }).catch(() => undefined);
  }
}

function isDead(dir: string, { file, mark }: Customer, ticket: string, self: ProcessMark, thorough: boolean): boolean {
  const path = join(dir, file);
  const dead = mark.machine === self.machine ? !isAlive(mark, thorough) : modifiedMs(ticket) - modifiedMs(path) > STALE_MS;
  if (dead) remove(path);
  return dead;
}

const NAME = /^(?:c|t-(\d{12}))-([0-9a-f]+)-(\d+)-(\d+)-[0-9a-f]+$/;

function readCustomers(dir: string): readonly Customer[] {
  return readdirSync(dir).flatMap((file): readonly Customer[] => {
    const match = NAME.exec(file);
    if (match === null) return [];
    const [, number, machine = '', pid, startedAt] = match;
    return [
      {
        file,
        number: number === undefined ? undefined : Number(number),
        mark: { machine, pid: Number(pid), startedAt: Number(startedAt) },
      },
    ];
  });
}

const markName = ({ machine, pid, startedAt }: ProcessMark): string => `${machine}-${pid}-${startedAt}`;
const touch = (path: string): void => closeSync(openSync(path, 'wx', 0o600));

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    return;
  }
}

function refreshTime(path: string): void {
  try {
    // A write, so that the time is the file system's own on every machine.
    const handle = openSync(path, 'r+');
    try {
      writeSync(handle, '.', 0);
    } finally {
      closeSync(handle);
    }
  } catch {
    return;
  }
}

function exists(path: string): boolean {
  return !Number.isNaN(modifiedMs(path));
}

/** NaN when it is gone, which compares as neither older nor younger. */
function modifiedMs(path: string): number {
  try {
    return lstatSync(path).mtimeMs;
  } catch {
    return Number.NaN;
  }
}
