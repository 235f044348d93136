import { FenceStaleError, type IAgentStore, InvalidArgumentError, isAgentosError, laneKey } from '@x/core';
import type { Job, PgBoss } from 'pg-boss';
import { checkedJson } from '../commit-plan.js';
import { LeaseOverError, TurnCancelledError } from '../engine/engine-errors.js';
import { journalStep } from '../engine/step-journal.js';
import type {
  Blocked,
  Delivery,
  EngineEvent,
  EngineQueue,
  Fence,
  RunningEngine,
  TurnEngine,
  TurnHandler,
  TurnRequest,
} from '../engine/turn-engine.js';
import { StoreFailedError } from '../errors.js';
import { idText } from '../id-text.js';
import type { Query } from '../postgres/client.js';
import type { PostgresStore } from '../postgres/postgres-store.js';
import { bossSettings, createQueues, POLL_SECONDS, QUEUES, TIMERS } from './boss-settings.js';
import { type JobData, jobData } from './job-data.js';
import { jobId } from './job-id.js';
import { checkAttempts, loadPgBoss, type PgBossClass } from './load-pg-boss.js';
import { removeSteps, stepRows } from './step-rows.js';

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

interface Claim {
  readonly job: { readonly id: string; readonly retryCount: number };
}

/**
 * Carries turns over any number of processes, with pg-boss on the store's PostgreSQL.
 *
 * @throws `engine_too_old` Node before 22.12 or pg-boss before 12.38; `store_driver_missing`, `store_failed`, `invalid_argument`.
 */
export async function pgBossEngine(options: PgBossEngineOptions): Promise<PgBossEngine> {
  const { store, connectionString, handle, workers = 4, notify = true, turnTimeoutMs = 900_000, maxAttempts = 5 } = options;
  const { schema = 'agentos_boss', retryDelayMs = 500, sweepMs = 5000, onBlocked = 'release', load = loadPgBoss } = options;
  if (!/^[a-z_][a-z0-9_]{0,49}$/.test(schema)) throw new InvalidArgumentError('schema: lower-case letters, digits and _, at most 50.');
  if (!(workers >= 1 && maxAttempts >= 1)) throw new InvalidArgumentError('workers and maxAttempts must be 1 or more.');
  const Boss = (await load()) as PgBossClass;
  const boss = new Boss(bossSettings({ connectionString, schema, maxConnections: options.maxConnections ?? 2 * workers + 4, notify }));
  const stopping = new AbortController();
  const claims = new WeakMap<AbortSignal, Claim>();

  const tell = (event: EngineEvent): void => {
    try {
      options.onEvent?.(event);
    } catch {
      // A listener's fault is the listener's: the lanes go on.
    }
  };
  boss.on('error', (error) => tell({ type: 'engine_error', error }));

  const executor = (query: Query) => ({
    executeSql: async (text: string, values: unknown[] = []) => ({ rows: [...(await query<never>(text, values))] }),
  });
  const stale = ({ lane, token }: Delivery): FenceStaleError => new FenceStaleError({ lane, fence: token, seen: token + 1 });
  const claimOf = (delivery: Delivery): Claim => {
    const claim = claims.get(delivery.signal);
    if (!claim) throw stale(delivery);
    return claim;
  };

  /** Holds a lease until the transaction ends, or says that it is over. */
  const check = async (query: Query, delivery: Delivery): Promise<void> => {
    if (delivery.queue === 'turns') {
      const [lane] = await query<{ readonly fence: number }>(`SELECT fence FROM ${store.schema}.lane WHERE key = $1 FOR SHARE`, [
        idText(delivery.lane),
      ]);
      if (lane?.fence !== delivery.token) throw stale(delivery);
    }
    const { affected } = (await boss.touch(delivery.queue, claimOf(delivery).job, { db: executor(query) })) as { affected: number };
    if (affected === 0) throw stale(delivery);
  };
  /** Ends a delivery inside a transaction; takes the transaction back when the lease is over. */
  const complete = async (query: Query, delivery: Delivery, output: object): Promise<void> => {
    const { affected } = (await boss.complete(delivery.queue, claimOf(delivery).job, output, { db: executor(query) })) as {
      affected: number;
    };
    if (affected === 0) throw stale(delivery);
    await removeSteps(query, store.schema, delivery);
  };

  const send = async (turn: TurnRequest, query?: Query): Promise<boolean> => {
    const { scope, id, queue = 'turns' } = turn;
    const lane = laneKey(scope);
    const sent = await guarded(() =>
      boss.send(queue, jobData({ ...turn, input: checkedJson(turn.input) }), {
        id: jobId(queue, lane, id),
        singletonKey: idText(lane),
        ...(query && { db: executor(query) }),
      }),
    );
    return sent !== null;
  };

  const fence = async (delivery: Delivery): Promise<Fence> => ({
    token: delivery.token,
    check: () => store.transaction((query) => check(query, delivery)),
    store: leasedStore(delivery),
  });
  const leasedStore = (delivery: Delivery): IAgentStore => ({
    async open(scope, openOptions) {
      const lane = await store.open(scope, openOptions);
      return {
        ...lane,
        async commit(change) {
          if (!change.conversation) return lane.commit(change);
          const ends = change.turn === delivery.id || change.turn.endsWith(`:${delivery.id}`);
          const leased = delivery.queue === 'turns' ? { ...change, fence: delivery.token } : change;
          return lane.commit(leased, (query) => (ends ? complete(query, delivery, { outcome: 'done' }) : check(query, delivery)));
        },
      };
    },
  });

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
    fence,
    journalStep(delivery, step, run) {
      const transaction = <T>(work: (query: Query) => Promise<T>): Promise<T> => store.transaction(work);
      const table = stepRows({ schema: store.schema, transaction, check }, delivery);
      return journalStep(table, { lane: delivery.lane, turn: delivery.id, token: delivery.token, step }, run, () => stale(delivery));
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

  /** Runs one claimed job: whatever happens, it ends with an outcome or goes back to its lane's head. */
  const deliver = async (queue: EngineQueue, job: Job<JobData>, run: TurnHandler): Promise<object> => {
    const { scope, id, input } = job.data;
    const lane = laneKey(scope);
    const token = queue === 'turns' ? await store.takeFence(scope) : job.retryCount + 1;
    const controller = new AbortController();
    job.signal.addEventListener('abort', () => controller.abort(new LeaseOverError(lane)), { once: true });
    const signal = AbortSignal.any([stopping.signal, controller.signal]);
    claims.set(signal, { job: { id: job.id, retryCount: job.retryCount } });
    for (let attempt = job.retryCount + 1; ; attempt += 1) {
      const about = { queue, lane, id, attempt };
      const delivery: Delivery = { queue, scope, lane, id, input, attempt, token, signal };
      try {
        await untilAborted(run(delivery, engine), signal);
        await store.transaction((query) => removeSteps(query, store.schema, delivery));
        tell({ type: 'turn_done', ...about });
        return { outcome: 'done' };
      } catch (error) {
        if (stopping.signal.aborted) throw error;
        if (job.signal.aborted || (isAgentosError(error) && error.code === 'fence_stale')) {
          tell({ type: 'turn_superseded', ...about });
          throw error;
        }
        if (isAgentosError(error) && error.retryable && attempt < maxAttempts) {
          tell({ type: 'turn_retried', ...about });
          await pause(retryDelayMs * 2 ** (attempt - 1), signal);
          continue;
        }
        const code = isAgentosError(error) ? error.code : 'unknown';
        await store.transaction((query) => removeSteps(query, store.schema, delivery));
        tell({ type: 'turn_failed', ...about, code, error });
        return { outcome: 'failed', code };
      }
    }
  };

  let sweeper: ReturnType<typeof setInterval> | undefined;
  await guarded(async () => {
    await store.transaction(async () => undefined); // makes the store's tables
    await boss.start();
    await createQueues(boss, { turnTimeoutMs, maxAttempts, notify });
    await checkAttempts(boss, QUEUES[0] ?? TIMERS);
  }).catch(async (error: unknown) => {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  });
  if (handle) await startWorkers(boss, { workers, deliver: (queue, job) => deliver(queue, job, handle), fire: (turn) => send(turn) });
  if (handle) {
    let sweeping = false;
    sweeper = setInterval(() => {
      if (sweeping) return;
      sweeping = true;
      sweep()
        .catch((error: unknown) => tell({ type: 'engine_error', error }))
        .finally(() => {
          sweeping = false;
        });
    }, sweepMs);
  }

  return {
    ...engine,
    async close({ timeoutMs = 30_000 } = {}) {
      clearInterval(sweeper);
      const abort = setTimeout(() => stopping.abort(new TurnCancelledError('of a closing engine')), timeoutMs);
      await boss.stop({ graceful: true, timeout: timeoutMs + 1000 });
      clearTimeout(abort);
      stopping.abort(new TurnCancelledError('of a closed engine'));
    },
  };
}

async function startWorkers(
  boss: PgBoss,
  {
    workers,
    deliver,
    fire,
  }: {
    readonly workers: number;
    readonly deliver: (queue: EngineQueue, job: Job<JobData>) => Promise<object>;
    readonly fire: (turn: TurnRequest) => Promise<boolean>;
  },
): Promise<void> {
  const polling = (queue: keyof typeof POLL_SECONDS) => ({
    pollingIntervalSeconds: POLL_SECONDS[queue],
    notifyPollingIntervalSeconds: POLL_SECONDS[queue],
  });
  for (const queue of QUEUES) {
    await boss.work<JobData>(
      queue,
      { ...polling(queue), batchSize: 1, localConcurrency: workers },
      async ([job]) => job && deliver(queue, job),
    );
  }
  await boss.work<JobData & { readonly queue: EngineQueue }>(TIMERS, { ...polling(TIMERS), batchSize: 100 }, async (jobs) => {
    for (const { data } of jobs) await fire(data);
  });
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

/** Waits for work, but no longer than its lease: one that does not listen to its signal must not keep a worker. */
function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Waits, or throws the signal's reason. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
