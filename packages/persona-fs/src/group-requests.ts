import type { Job, JobOutcome } from './memory-commit.js';

/** Requests of one process that wait for their turn and then share one lock and one flush. */
export interface Requests {
  /** @throws What `apply` throws, what the commit throws, or `signal.reason` when it is aborted before the lock is held. */
  submit<T>(files: readonly string[], apply: Job['apply'], signal?: AbortSignal | undefined): Promise<T>;
}

/**
 * Gathers requests of the same moment into groups and commits one group after another.
 *
 * @param options.commit - Settles every job. Its signal is aborted when nobody waits for the group any more.
 */
export function createRequests({
  groupSize,
  commit,
}: {
  readonly groupSize: number;
  readonly commit: (jobs: readonly Job[], signal: AbortSignal) => Promise<void>;
}): Requests {
  const waiting: Job[] = [];
  let running: { readonly jobs: Set<Job>; readonly controller: AbortController } | undefined;
  let pumping = false;

  const pump = async (): Promise<void> => {
    pumping = true;
    // Requests of the same moment gather before the first lock is taken.
    await Promise.resolve();
    while (waiting.length > 0) {
      const group = waiting.splice(0, Math.max(1, groupSize));
      running = { jobs: new Set(group), controller: new AbortController() };
      await commit(group, running.controller.signal);
    }
    running = undefined;
    pumping = false;
  };

  /** Takes back a job that has not begun. */
  const leave = (job: Job, reason: unknown): void => {
    const at = waiting.indexOf(job);
    if (at !== -1) waiting.splice(at, 1);
    else if (running?.jobs.delete(job) && running.jobs.size === 0) running.controller.abort(reason);
  };

  return {
    submit: <T>(files: readonly string[], apply: Job['apply'], signal?: AbortSignal | undefined) =>
      new Promise<T>((fulfil, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        let left = false;
        const abort = (): void => {
          left = true;
          leave(job, signal?.reason);
          reject(signal?.reason);
        };
        const listenNoMore = (): void => signal?.removeEventListener('abort', abort);
        const job: Job = {
          files,
          apply,
          begin() {
            listenNoMore();
            return !left;
          },
          settle(outcome: JobOutcome) {
            listenNoMore();
            if ('error' in outcome) reject(outcome.error);
            else fulfil(outcome.value as T);
          },
        };
        signal?.addEventListener('abort', abort, { once: true });
        waiting.push(job);
        if (!pumping) void pump();
      }),
  };
}
