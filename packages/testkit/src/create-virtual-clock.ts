import { type Clock, InvalidArgumentError } from '@x/core';

/** A clock that moves only when told to. */
export interface VirtualClock extends Clock {
  /**
   * Moves the time on, firing each timer at its own moment, in order. Before the first, after each and at the end it
   * lets promise chains come to rest, so that timers set by what a timer woke still fire when they are due.
   *
   * @param ms - 0 or more; 0 fires what is due now and lets promises settle.
   * @throws Whatever a timer's function throws.
   */
  advance(ms: number): Promise<void>;
  /** Timers that have not fired and were not cancelled. */
  readonly pending: number;
  /** When the next of them is due, in milliseconds since 1970; `undefined` when there is none. */
  readonly nextAtMs: number | undefined;
}

interface Timer {
  readonly fn: () => void;
  readonly atMs: number;
  readonly order: number;
}

/**
 * Makes a clock for tests: it stands still until `advance`. Two timers due at the same moment fire in the order in
 * which they were set.
 *
 * @param startMs - Milliseconds since 1970; default 0.
 * @remarks Promises settle between timers by giving way to the event loop a few times. Work that waits for a socket or
 * a disk is not waited for: await that yourself.
 */
export function createVirtualClock(startMs = 0): VirtualClock {
  if (!Number.isFinite(startMs)) throw new InvalidArgumentError(`startMs must be a finite number, got ${startMs}`);
  let nowMs = startMs;
  let order = 0;
  let last: Promise<void> = Promise.resolve();
  const timers = new Set<Timer>();
  const next = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (!first || timer.atMs < first.atMs || (timer.atMs === first.atMs && timer.order < first.order)) first = timer;
    }
    return first;
  };
  const move = async (ms: number): Promise<void> => {
    const targetMs = nowMs + ms;
    await settle();
    for (let timer = next(); timer && timer.atMs <= targetMs; timer = next()) {
      timers.delete(timer);
      nowMs = Math.max(nowMs, timer.atMs);
      timer.fn();
      await settle();
    }
    nowMs = Math.max(nowMs, targetMs);
  };
  return {
    now: () => nowMs,
    setTimeout(fn, ms) {
      const timer: Timer = { fn, atMs: nowMs + Math.max(0, Number.isNaN(ms) ? 0 : ms), order: order++ };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      if (!(ms >= 0)) throw new InvalidArgumentError(`advance: ms must be 0 or more, got ${ms}`);
      const moved = last.then(() => move(ms));
      last = moved.catch(() => undefined);
      return moved;
    },
    get pending() {
      return timers.size;
    },
    get nextAtMs() {
      return next()?.atMs;
    },
  };
}

// One lap runs every promise reaction that is ready; the further ones let code that itself gives way once or twice go on.
async function settle(): Promise<void> {
  for (let lap = 0; lap < 3; lap += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
