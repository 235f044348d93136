import type { Clock } from '@x/core';

/** How long one try may take. */
export interface Limits {
  /** Milliseconds for one try as a whole. */
  readonly timeoutMs: number;
  /** Milliseconds without a byte. */
  readonly idleTimeoutMs: number;
  readonly clock: Clock;
}

/** What stops one try: the caller's signal, the limit for the whole, and silence. */
export interface Watch {
  readonly signal: AbortSignal;
  /** The caller's signal fired. */
  isAborted(): boolean;
  /** Set once a wait was too long. */
  timedOutAfterMs(): number | undefined;
  /**
   * Settles with the work, or rejects with the signal's reason as soon as the try is given up: a fetch of the host may
   * ignore its signal. Silence counts while it is waited for. One wait at a time.
   */
  waitFor<T>(work: PromiseLike<T>): Promise<T>;
  /** The answer is whole: there is nothing left to stop. */
  complete(): void;
  stop(): void;
}

/** Begins to watch a try. One timer for both limits, set anew only when it fires: a token does not cost a timer. */
export function startWatch({ clock, timeoutMs, idleTimeoutMs }: Limits, signal: AbortSignal): Watch {
  const controller = new AbortController();
  const startMs = clock.now();
  let isComplete = false;
  let waitingSinceMs: number | undefined = startMs;
  let timedOutAfterMs: number | undefined;
  let cancel: () => void = () => undefined;
  // The controller is ours: who waits is told by a call, without an event listener for each token.
  let giveUp: ((reason: unknown) => void) | undefined;
  const abort = (reason?: unknown): void => {
    controller.abort(reason);
    giveUp?.(controller.signal.reason);
  };
  const onAbort = (): void => abort(signal.reason);
  const check = (): void => {
    const nowMs = clock.now();
    const leftMs = startMs + timeoutMs - nowMs;
    const idleLeftMs = waitingSinceMs === undefined ? idleTimeoutMs : waitingSinceMs + idleTimeoutMs - nowMs;
    if (leftMs <= 0 || idleLeftMs <= 0) {
      timedOutAfterMs = leftMs <= 0 ? timeoutMs : idleTimeoutMs;
      abort();
    } else cancel = clock.setTimeout(check, Math.min(leftMs, idleLeftMs));
  };
  signal.addEventListener('abort', onAbort);
  check();
  return {
    signal: controller.signal,
    isAborted: () => signal.aborted,
    timedOutAfterMs: () => timedOutAfterMs,
    waitFor: (work) =>
      new Promise((resolve, reject) => {
        waitingSinceMs = clock.now();
        const leave = (): void => {
          waitingSinceMs = undefined;
          giveUp = undefined;
        };
        giveUp = (reason) => {
          leave();
          reject(reason);
        };
        if (controller.signal.aborted) giveUp(controller.signal.reason);
        work.then(
          (value) => {
            leave();
            resolve(value);
          },
          (error: unknown) => {
            leave();
            reject(error);
          },
        );
      }),
    complete() {
      isComplete = true;
    },
    stop() {
      cancel();
      signal.removeEventListener('abort', onAbort);
      if (!isComplete) abort();
    },
  };
}
