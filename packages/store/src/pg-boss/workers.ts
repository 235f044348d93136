import type { Clock } from '@x/core';
import type { Job, PgBoss } from 'pg-boss';
import type { EngineEvent, EngineQueue, TurnRequest } from '../engine/turn-engine.js';
import { POLL_SECONDS, QUEUES, TIMERS } from './boss-settings.js';
import type { JobData } from './job-data.js';

/** Starts to take jobs from the queues. */
export async function startWorkers(
  boss: PgBoss,
  options: {
    readonly workers: number;
    readonly deliver: (queue: EngineQueue, job: Job<JobData>) => Promise<object>;
    /** Puts a turn whose time has come into its lane. */
    readonly fire: (turn: TurnRequest) => Promise<unknown>;
  },
): Promise<void> {
  const { workers, deliver, fire } = options;
  const polling = (queue: keyof typeof POLL_SECONDS) => ({
    pollingIntervalSeconds: POLL_SECONDS[queue],
    notifyPollingIntervalSeconds: POLL_SECONDS[queue],
  });
  for (const queue of QUEUES) {
    const settings = { ...polling(queue), batchSize: 1, localConcurrency: workers };
    await boss.work<JobData>(queue, settings, async ([job]) => job && deliver(queue, job));
  }
  await boss.work<JobData & { readonly queue: EngineQueue }>(TIMERS, { ...polling(TIMERS), batchSize: 100 }, async (jobs) => {
    for (const { data } of jobs) await fire(data);
  });
}

/** Does something again and again, never twice at the same time, until it is stopped. */
export function repeat(
  everyMs: number,
  work: () => Promise<void>,
  { clock, tell }: { readonly clock: Clock; readonly tell: (event: EngineEvent) => void },
): () => void {
  let busy = false;
  let cancel: () => void = () => {};
  const wait = (): void => {
    cancel = clock.setTimeout(next, everyMs);
  };
  const next = (): void => {
    wait();
    if (busy) return;
    busy = true;
    work()
      .catch((error: unknown) => tell({ type: 'engine_error', error }))
      .finally(() => {
        busy = false;
      });
  };
  wait();
  return () => cancel();
}
