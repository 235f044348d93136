import type { Clock } from '@x/core';

/** The signal's reason when a metaprompt ran out of time. */
class DeadlineReached extends Error {
  override readonly name = 'DeadlineReached';
}

/**
 * Runs work that stops by a signal, and stops waiting for it when the time is over even if it does not. What comes late
 * is dropped.
 *
 * @param options.late - Makes the result when the time ran out.
 * @throws `options.signal.reason` when that was aborted; what the work throws.
 */
export async function withDeadline<T>(
  run: (signal: AbortSignal) => Promise<T>,
  options: { readonly signal: AbortSignal; readonly clock: Clock; readonly timeoutMs: number; readonly late: () => T },
): Promise<T> {
  const { signal, clock, timeoutMs, late } = options;
  signal.throwIfAborted();
  const own = new AbortController();
  const forward = (): void => own.abort(signal.reason);
  signal.addEventListener('abort', forward, { once: true });
  const cancel = clock.setTimeout(() => own.abort(new DeadlineReached()), timeoutMs);
  try {
    return await new Promise<T>((resolve, reject) => {
      own.signal.addEventListener('abort', () => (signal.aborted ? reject(signal.reason) : resolve(late())), { once: true });
      run(own.signal).then(resolve, reject);
    });
  } finally {
    cancel();
    signal.removeEventListener('abort', forward);
  }
}
