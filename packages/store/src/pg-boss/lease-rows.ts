import type { EngineQueue } from '../engine/turn-engine.js';
import type { PostgresStore } from '../postgres/postgres-store.js';

/** An attempt of a job. */
export interface Attempt {
  readonly id: string;
  readonly retryCount: number;
}

/**
 * Says which attempts have a worker that lives. pg-boss has such a sign of its own, of ten seconds at least and looked at
 * once a second; with this one a turn of a worker that stands still is taken over well within that.
 */
export interface Leases {
  /** @returns Ends the lease. `lost` is called when another took it. */
  enter(queue: EngineQueue, job: Attempt, lost: () => void): Promise<() => Promise<void>>;
  /** Says that this process lives. */
  refresh(): Promise<void>;
  /** Gives the turns of silent workers back to their lanes. */
  takeOver(): Promise<void>;
}

/** Milliseconds that a worker has to take over a silent one's turn before another does. The figure is ours. */
const TAKE_OVER_MS = 2_000;

export function createLeases({
  store,
  leaseMs,
  fail,
}: {
  readonly store: Pick<PostgresStore, 'transaction' | 'schema'>;
  readonly leaseMs: number;
  /** Ends an attempt so that its turn is run again; nothing where it has ended. */
  readonly fail: (queue: EngineQueue, job: Attempt) => Promise<unknown>;
}): Leases {
  const table = `${store.schema}.lease`;
  // The server's clock, so that machines need not agree on the time.
  const until = `clock_timestamp() + interval '${leaseMs} milliseconds'`;
  const held = new Map<string, { readonly attempt: number; readonly lost: () => void }>();
  return {
    async enter(queue, { id, retryCount }, lost) {
      const lease = { attempt: retryCount, lost };
      held.set(id, lease);
      await store.transaction((query) =>
        query(
          `INSERT INTO ${table} (job, attempt, queue, until) VALUES ($1, $2, $3, ${until})
           ON CONFLICT (job) DO UPDATE SET attempt = excluded.attempt, queue = excluded.queue, until = excluded.until`,
          [id, retryCount, queue],
        ),
      );
      return async () => {
        if (held.get(id) === lease) held.delete(id);
        await store.transaction((query) => query(`DELETE FROM ${table} WHERE job = $1 AND attempt = $2`, [id, retryCount]));
      };
    },
    async refresh() {
      const before = [...held];
      if (before.length === 0) return;
      const alive = await store.transaction((query) =>
        query<{ readonly job: string }>(
          `UPDATE ${table} l SET until = ${until} FROM unnest($1::text[], $2::integer[]) AS mine (job, attempt)
           WHERE l.job = mine.job AND l.attempt = mine.attempt RETURNING l.job`,
          [before.map(([id]) => id), before.map(([, { attempt }]) => attempt)],
        ),
      );
      const ours = new Set(alive.map(({ job }) => job));
      for (const [id, lease] of before)
        if (!ours.has(id) && held.get(id) === lease) {
          held.delete(id);
          lease.lost();
        }
    },
    async takeOver() {
      // Below 0 an attempt is being taken over: its worker finds it no more. Who dies before it is done leaves it to the next.
      const silent = await store.transaction((query) =>
        query<{ readonly job: string; readonly attempt: number; readonly queue: EngineQueue }>(
          `UPDATE ${table} SET attempt = least(attempt, -1 - attempt), until = clock_timestamp() + interval '${TAKE_OVER_MS} milliseconds'
           WHERE until < clock_timestamp() RETURNING job, attempt, queue`,
        ),
      );
      const faults: unknown[] = [];
      for (const { job, attempt, queue } of silent) {
        try {
          await fail(queue, { id: job, retryCount: -1 - attempt });
          await store.transaction((query) => query(`DELETE FROM ${table} WHERE job = $1 AND attempt = $2`, [job, attempt]));
        } catch (error) {
          faults.push(error);
        }
      }
      if (faults.length > 0) throw faults[0];
    },
  };
}
