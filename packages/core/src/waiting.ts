import type { Clock } from './clock.js';
import { AgentosError } from './errors.js';

/** Work was not done when its time was over. */
export class DeadlineError extends AgentosError {
  override readonly name = 'DeadlineError';
  readonly code = 'deadline_passed';
  readonly retryable = true;
  readonly timeoutMs: number;
  constructor(timeoutMs: number) {
    super(`The work took longer than ${timeoutMs} ms and is no longer waited for. Allow it more time or give it less to do.`);
    this.timeoutMs = timeoutMs;
  }
}

/** True for a promise of any library: whatever has a `then` to call. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { readonly then?: unknown }).then === 'function'
  );
}

/** Settles with the work, or rejects with `signal.reason` as soon as the signal is aborted, whatever the work does. */
export function raceAbort<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    const leave = (): void => signal.removeEventListener('abort', stop);
    Promise.resolve(work).then(resolve, reject).then(leave, leave);
  });
}

export interface DeadlineOptions {
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
  /** From the call on; `Infinity` for no limit. */
  readonly timeoutMs: number;
}

/**
 * Runs work that stops by a signal, and stops waiting for it when the time is over even if it does not. What comes late
 * is dropped.
 *
 * @param run - Gets a signal of its own, aborted at the deadline or with the caller's.
 * @throws {@link DeadlineError} the time is over. `signal.reason` when that was aborted; what the work throws.
 */
export async function withDeadline<T>(
  run: (signal: AbortSignal) => PromiseLike<T> | T,
  { signal, clock, timeoutMs }: DeadlineOptions,
): Promise<T> {
  signal?.throwIfAborted();
  const own = new AbortController();
  const follow = (): void => own.abort(signal?.reason);
  signal?.addEventListener('abort', follow, { once: true });
  const cancel =
    timeoutMs === Number.POSITIVE_INFINITY ? () => {} : clock.setTimeout(() => own.abort(new DeadlineError(timeoutMs)), timeoutMs);
  try {
    return await raceAbort(Promise.resolve(run(own.signal)), own.signal);
  } finally {
    cancel();
    signal?.removeEventListener('abort', follow);
  }
}
