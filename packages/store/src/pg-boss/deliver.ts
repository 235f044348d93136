import { type Clock, isAgentosError, laneKey, raceAbort } from '@x/core';
import type { Job } from 'pg-boss';
import { LeaseOverError } from '../engine/engine-errors.js';
import type { Delivery, EngineEvent, EngineQueue, TurnEngine, TurnHandler } from '../engine/turn-engine.js';
import type { PostgresStore } from '../postgres/postgres-store.js';
import type { JobData } from './job-data.js';
import type { LeaseGuard } from './lease.js';
import type { Leases } from './lease-rows.js';
import { removeSteps } from './step-rows.js';

export interface DeliverOptions {
  readonly store: PostgresStore;
  readonly engine: TurnEngine;
  readonly guard: LeaseGuard;
  readonly leases: Leases;
  readonly handle: TurnHandler;
  readonly maxAttempts: number;
  readonly retryDelayMs: number;
  readonly clock: Clock;
  /** Aborted when the engine closes. */
  readonly stopping: AbortSignal;
  readonly tell: (event: EngineEvent) => void;
}

/**
 * Runs one claimed job. Whatever happens, it ends with an outcome, or goes back to the head of its lane when this worker
 * may not end it.
 */
export async function deliver(options: DeliverOptions, queue: EngineQueue, job: Job<JobData>): Promise<object> {
  const { store, guard, leases, stopping, tell } = options;
  const { scope, id, input } = job.data;
  const lane = laneKey(scope);
  const token = queue === 'turns' ? await store.takeFence(scope) : job.retryCount + 1;
  const controller = new AbortController();
  const lose = (): void => controller.abort(new LeaseOverError(lane));
  job.signal.addEventListener('abort', lose, { once: true });
  const signal = AbortSignal.any([stopping, controller.signal]);
  const attempt = { id: job.id, retryCount: job.retryCount };
  guard.claim(signal, attempt);
  const leave = await leases.enter(queue, attempt, lose);
  try {
    return await tryUntilItEnds(options, { queue, scope, lane, id, input, token, signal }, job.retryCount + 1);
  } finally {
    await leave().catch((error: unknown) => tell({ type: 'engine_error', error }));
  }
}

async function tryUntilItEnds(options: DeliverOptions, turn: Omit<Delivery, 'attempt'>, first: number): Promise<object> {
  const { store, engine, handle, maxAttempts, retryDelayMs, clock, stopping, tell } = options;
  const { queue, lane, id, signal } = turn;
  const end = (): Promise<void> => store.transaction((query) => removeSteps(query, store.schema, turn));
  for (let attempt = first; ; attempt += 1) {
    const about = { queue, lane, id, attempt };
    try {
      // No longer than its lease: a handler that does not listen to its signal must not keep a worker.
      await raceAbort(handle({ ...turn, attempt }, engine), signal);
      await end();
      tell({ type: 'turn_done', ...about });
      return { outcome: 'done' };
    } catch (error) {
      if (stopping.aborted) throw error;
      if (signal.aborted || (isAgentosError(error) && error.code === 'fence_stale')) {
        tell({ type: 'turn_superseded', ...about });
        throw error;
      }
      if (isAgentosError(error) && error.retryable && attempt < maxAttempts) {
        tell({ type: 'turn_retried', ...about });
        await pause(retryDelayMs * 2 ** (attempt - 1), clock, signal);
        continue;
      }
      const code = isAgentosError(error) ? error.code : 'unknown';
      await end();
      tell({ type: 'turn_failed', ...about, code, error });
      return { outcome: 'failed', code };
    }
  }
}

/** Waits, or throws the signal's reason. */
async function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  let cancel: () => void = () => {};
  const passed = new Promise<void>((resolve) => {
    cancel = clock.setTimeout(resolve, ms);
  });
  await raceAbort(passed, signal).finally(cancel);
}
