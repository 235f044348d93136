import { type Clock, InvalidArgumentError, systemClock } from '@x/core';
import { TurnCancelledError } from '../engine/engine-errors.js';
import type { EngineEvent, RunningEngine, TurnEngine, TurnHandler, TurnRequest } from '../engine/turn-engine.js';
import type { Query } from '../postgres/client.js';
import type { PostgresStore } from '../postgres/postgres-store.js';
import { bossSettings, createQueues, QUEUES, TIMERS } from './boss-settings.js';
import { createBossTurns } from './boss-turns.js';
import { deliver } from './deliver.js';
import { guarded } from './guarded.js';
import { jobId } from './job-id.js';
import { createLeaseGuard } from './lease.js';
import { createLeases } from './lease-rows.js';
import { checkAttempts, loadPgBoss, type PgBossClass } from './load-pg-boss.js';
import { removeSteps } from './step-rows.js';
import { repeat, startWorkers } from './workers.js';

export interface PgBossEngineOptions {
  /** Where lanes are kept. The engine commits a turn and ends its delivery in one transaction, so both share a database. */
  readonly store: PostgresStore;
  /** The same database, for pg-boss's own connections. */
  readonly connectionString: string;
  /** Runs turns here; without it this process only hands them in. */
  readonly handle?: TurnHandler | undefined;
  /** The schema of pg-boss's tables; default `agentos_boss`. */
  readonly schema?: string | undefined;
  /** Turns that run here at the same time, and as many batches; default 4. */
  readonly workers?: number | undefined;
  /** Connections of pg-boss; default 4 more than twice the workers. */
  readonly maxConnections?: number | undefined;
  /** Milliseconds until a turn's lease is over though its worker lives; default 900,000, counted in whole seconds. */
  readonly turnTimeoutMs?: number | undefined;
  /** How often a turn is delivered, or tried after failures that may pass; default 5. */
  readonly maxAttempts?: number | undefined;
  /** Milliseconds before the second try after a failure that may pass, doubled each time; default 500. */
  readonly retryDelayMs?: number | undefined;
  /**
   * Milliseconds that a worker may be silent until another takes its turns; default 7,000, at least 1,000. It says that it
   * lives four times in that time.
   */
  readonly leaseMs?: number | undefined;
  /** A turn whose attempts are used up: `release` (default) lets its lane go on, `hold` keeps it until the turn is cancelled. */
  readonly onBlocked?: 'release' | 'hold' | undefined;
  /** Milliseconds between looks for lanes that stand still; default 5,000. */
  readonly sweepMs?: number | undefined;
  /** False behind a pooler in transaction mode, where LISTEN does not work: then queues are only polled. Default true. */
  readonly notify?: boolean | undefined;
  readonly onEvent?: ((event: EngineEvent) => void) | undefined;
  /** Times the retries, the signs of life and the looks for standing lanes; pg-boss and PostgreSQL keep their own time. */
  readonly clock?: Clock | undefined;
  /** For tests: another way to load pg-boss. */
  readonly load?: (() => Promise<unknown>) | undefined;
}

/** An engine for many machines. */
export interface PgBossEngine extends RunningEngine {
  /** With `query` the turn is put in by the host's own transaction, and only if that commits. */
  enqueueTurn(turn: TurnRequest, options?: { readonly query?: Query | undefined }): Promise<{ readonly accepted: boolean }>;
}

/**
 * Carries turns over any number of processes, with pg-boss on the store's PostgreSQL.
 *
 * @throws `engine_too_old` Node before 22.12 or pg-boss before 12.38; `store_driver_missing`, `store_failed`, `invalid_argument`.
 */
export async function pgBossEngine(options: PgBossEngineOptions): Promise<PgBossEngine> {
  const { store, connectionString, handle, workers = 4, notify = true, turnTimeoutMs = 900_000, maxAttempts = 5 } = options;
  const {
    schema = 'agentos_boss',
    retryDelayMs = 500,
    leaseMs = 7000,
    sweepMs = 5000,
    onBlocked = 'release',
    load = loadPgBoss,
    clock = systemClock,
  } = options;
  if (!/^[a-z_][a-z0-9_]{0,49}$/.test(schema)) throw new InvalidArgumentError('schema: lower-case letters, digits and _, at most 50.');
  if (!(workers >= 1 && maxAttempts >= 1)) throw new InvalidArgumentError('workers and maxAttempts must be 1 or more.');
  if (!(leaseMs >= 1000)) throw new InvalidArgumentError(`leaseMs must be 1,000 or more, got ${leaseMs}.`);
  const Boss = (await load()) as PgBossClass;
  const boss = new Boss(bossSettings({ connectionString, schema, maxConnections: options.maxConnections ?? 2 * workers + 4, notify }));
  const stopping = new AbortController();
  const leases = createLeases({ store, leaseMs, fail: (queue, job) => boss.fail(queue, job, { reason: 'lease over' }) });
  const guard = createLeaseGuard(boss, store);

  const tell = (event: EngineEvent): void => {
    try {
      options.onEvent?.(event);
    } catch {
      // A listener's fault is the listener's: the lanes go on.
    }
  };
  boss.on('error', (error) => tell({ type: 'engine_error', error }));

  const { send, releaseBlocked, ...turns } = createBossTurns({ boss, store, guard });
  const engine: TurnEngine = turns;

  const sweep = async (): Promise<void> => {
    for (const blocked of await engine.listBlocked()) {
      const { queue, lane, id, attempts } = blocked;
      if (onBlocked === 'hold') tell({ type: 'lane_blocked', ...blocked });
      else if (await releaseBlocked(queue, jobId(queue, lane, id))) {
        await store.transaction((query) => removeSteps(query, store.schema, blocked));
        tell({ type: 'turn_failed', queue, lane, id, attempt: attempts, code: 'attempts_exhausted' });
      }
    }
  };

  await guarded(async () => {
    await store.transaction(async () => undefined); // makes the store's tables
    await boss.start();
    await createQueues(boss, { turnTimeoutMs, maxAttempts, notify });
    await checkAttempts(boss, QUEUES[0] ?? TIMERS);
  }).catch(async (error: unknown) => {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  });
  const loops: (() => void)[] = [];
  if (handle) {
    const delivery = { store, engine, guard, leases, handle, maxAttempts, retryDelayMs, clock, stopping: stopping.signal, tell };
    await startWorkers(boss, { workers, deliver: (queue, job) => deliver(delivery, queue, job), fire: (turn) => send(turn) });
    const each = { clock, tell };
    loops.push(
      repeat(leaseMs / 4, () => leases.refresh(), each),
      repeat(Math.min(500, leaseMs / 4), () => leases.takeOver(), each),
      repeat(sweepMs, sweep, each),
    );
  }

  return {
    ...turns,
    async close({ timeoutMs = 30_000 } = {}) {
      const cancel = clock.setTimeout(() => stopping.abort(new TurnCancelledError('of a closing engine')), timeoutMs);
      await boss.stop({ graceful: true, timeout: timeoutMs + 1000 });
      cancel();
      for (const stop of loops) stop();
      stopping.abort(new TurnCancelledError('of a closed engine'));
    },
  };
}
