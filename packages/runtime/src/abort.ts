import type { Clock } from '@x/core';
import { TurnTimeoutError } from './errors.js';

/** A controller that follows a signal until it is released; the listener never outlives the work. */
export function followSignal(signal: AbortSignal | undefined): { readonly controller: AbortController; release(): void } {
  const controller = new AbortController();
  if (!signal) return { controller, release: () => {} };
  if (signal.aborted) {
    controller.abort(signal.reason);
    return { controller, release: () => {} };
  }
  const follow = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', follow, { once: true });
  return { controller, release: () => signal.removeEventListener('abort', follow) };
}

/** Controllers that follow one signal through a single listener, so that many parts may wait on it at once. */
export interface Followers {
  child(): AbortController;
  /** This one need not follow any more. */
  leave(child: AbortController): void;
  abortAll(reason: unknown): void;
  release(): void;
}

export function followTogether(signal: AbortSignal): Followers {
  const children = new Set<AbortController>();
  const abortAll = (reason: unknown): void => {
    for (const controller of children) controller.abort(reason);
  };
  const follow = (): void => abortAll(signal.reason);
  signal.addEventListener('abort', follow, { once: true });
  return {
    child() {
      const controller = new AbortController();
      if (signal.aborted) controller.abort(signal.reason);
      children.add(controller);
      return controller;
    },
    leave: (child) => void children.delete(child),
    abortAll,
    release: () => signal.removeEventListener('abort', follow),
  };
}

/** True when the work settled within the time, false when the time ran out first. */
export async function settledWithin(work: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  if (ms === Number.POSITIVE_INFINITY) {
    await work.catch(() => {});
    return true;
  }
  let cancel = (): void => {};
  const timeout = new Promise<boolean>((resolve) => {
    cancel = clock.setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([
      work.then(
        () => true,
        () => true,
      ),
      timeout,
    ]);
  } finally {
    cancel();
  }
}

/** A signal that also aborts when the time is over; without a limit it is the signal itself. */
export function limitTime(
  signal: AbortSignal,
  ms: number | undefined,
  clock: Clock,
): { readonly signal: AbortSignal; isOver(): boolean; release(): void } {
  if (ms === undefined) return { signal, isOver: () => false, release: () => {} };
  const { controller, release } = followSignal(signal);
  let over = false;
  const cancel = clock.setTimeout(() => {
    over = !signal.aborted;
    controller.abort(new TurnTimeoutError({ what: 'turn', limitMs: ms, option: 'budgets.maxWallMs' }));
  }, ms);
  return {
    signal: controller.signal,
    isOver: () => over,
    release() {
      cancel();
      release();
    },
  };
}
