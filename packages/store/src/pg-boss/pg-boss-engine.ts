import { InvalidArgumentError, isAgentosError, laneKey } from '@x/core';
import { checkedJson } from '../commit-plan.js';
import { TurnCancelledError } from '../engine/engine-errors.js';
import { journalStep } from '../engine/step-journal.js';
import type { Blocked, EngineEvent, EngineQueue, RunningEngine, TurnEngine, TurnHandler, TurnRequest } from '../engine/turn-engine.js';
import { StoreFailedError } from '../errors.js';
import { idText } from '../id-text.js';
import type { Query } from '../postgres/client.js';
import type { PostgresStore } from '../postgres/postgres-store.js';
import { bossSettings, createQueues, QUEUES, TIMERS } from './boss-settings.js';
import { deliver } from './deliver.js';
import { type JobData, jobData } from './job-data.js';
import { jobId } from './job-id.js';
import { bossOn, createLeaseGuard } from './lease.js';
import { createLeases } from './lease-rows.js';
import { checkAttempts, loadPgBoss, type PgBossClass } from './load-pg-boss.js';
import { removeSteps, stepRows } from './step-rows.js';
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
  const { schema = 'agentos_boss', retryDelayMs = 500, leaseMs = 7000, sweepMs = 5000, onBlocked = 'release', load = loadPgBoss } = options;
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

  const send = async (turn: TurnRequest, query?: Query): Promise<boolean> => {
    const { scope, id, queue = 'turns' } = turn;
    const lane = laneKey(scope);
    const sent = await guarded(() =>
      boss.send(queue, jobData({ ...turn, input: checkedJson(turn.input) }), {
        id: jobId(queue, lane, id),
        singletonKey: idText(lane),
        ...(query && { db: bossOn(query) }),
      }),
    );
    return sent !== null;
  };

  const engine: TurnEngine = {
    enqueueTurn: async (turn, { query }: { readonly query?: Query | undefined } = {}) => ({ accepted: await send(turn, query) }),
    async schedule({ key, atMs, turn }) {
      const data = { ...jobData({ ...turn, input: checkedJson(turn.input) }), queue: turn.queue ?? 'turns' };
      await guarded(() => boss.upsert(TIMERS, data, { singletonKey: idText(key), startAfter: new Date(atMs) }));
    },
    async cancel(what) {
      if ('key' in what) {
        const waiting = await guarded(() => boss.findJobs(TIMERS, { key: idText(what.key), queued: true }));
        const results = await Promise.all(waiting.map(({ id }) => guarded(() => boss.deleteJob(TIMERS, id))));
        return results.some((result) => (result as { affected?: number }).affected !== 0) && waiting.length > 0;
      }
      const queue = what.queue ?? 'turns';
      const lane = laneKey(what.scope);
      const id = jobId(queue, lane, what.id);
      const { affected } = (await guarded(() => boss.cancel(queue, id))) as { affected: number };
      const removed = affected > 0 || (await releaseBlocked(queue, id));
      if (removed) await store.transaction((query) => removeSteps(query, store.schema, { queue, lane, id: what.id }));
      return removed;
    },
    fence: async (delivery) => guard.fence(delivery),
    journalStep(delivery, step, run) {
      const transaction = <T>(work: (query: Query) => Promise<T>): Promise<T> => store.transaction(work);
      const table = stepRows({ schema: store.schema, transaction, check: guard.check }, delivery);
      return journalStep(table, { lane: delivery.lane, turn: delivery.id, token: delivery.token, step }, run, () => guard.stale(delivery));
    },
    async listBlocked() {
      const found: Blocked[] = [];
      for (const queue of QUEUES) {
        for (const key of await guarded(() => boss.getBlockedKeys(queue))) {
          for (const { state, data, retryCount } of await guarded(() => boss.findJobs<JobData>(queue, { key })))
            if (state === 'failed') found.push({ queue, lane: laneKey(data.scope), id: data.id, attempts: retryCount + 1 });
        }
      }
      return found;
    },
  };

  /** True for the one caller that let the lane go on. */
  const releaseBlocked = async (queue: EngineQueue, id: string): Promise<boolean> => {
    const [job] = await guarded(() => boss.findJobs(queue, { id }));
    if (job?.state !== 'failed') return false;
    const { affected } = (await guarded(() => boss.deleteJob(queue, id))) as { affected: number };
    return affected > 0;
  };

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
    const delivery = { store, engine, guard, leases, handle, maxAttempts, retryDelayMs, stopping: stopping.signal, tell };
    await startWorkers(boss, { workers, deliver: (queue, job) => deliver(delivery, queue, job), fire: (turn) => send(turn) });
    loops.push(
      repeat(leaseMs / 4, () => leases.refresh(), tell),
      repeat(Math.min(500, leaseMs / 4), () => leases.takeOver(), tell),
      repeat(sweepMs, sweep, tell),
    );
  }

  return {
    ...engine,
    async close({ timeoutMs = 30_000 } = {}) {
      const abort = setTimeout(() => stopping.abort(new TurnCancelledError('of a closing engine')), timeoutMs);
      await boss.stop({ graceful: true, timeout: timeoutMs + 1000 });
      clearTimeout(abort);
      for (const stop of loops) stop();
      stopping.abort(new TurnCancelledError('of a closed engine'));
    },
  };
}

/** What fails below becomes a typed error. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isAgentosError(error)) throw error;
    throw new StoreFailedError({ retryable: true, cause: error });
  }
}
