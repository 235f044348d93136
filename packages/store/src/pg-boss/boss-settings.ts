import type { PgBoss } from 'pg-boss';
import type { EngineQueue } from '../engine/turn-engine.js';

export const QUEUES: readonly EngineQueue[] = ['turns', 'batches'];
export const TIMERS = 'timers' as const;

const YEAR_SECONDS = 31_536_000;

/** What a worker that died is noticed by. Ten seconds is the least that pg-boss takes. */
export const HEARTBEAT_SECONDS = 10;
/** Seconds between looks at a queue: the successor of a turn is not announced, so a look finds it. */
export const POLL_SECONDS: { readonly [queue in EngineQueue | typeof TIMERS]: number } = { turns: 0.5, batches: 2, timers: 0.5 };

/** Settings without which a dead worker is not noticed within seconds: pg-boss's own defaults take a minute and more. */
export function bossSettings({
  connectionString,
  schema,
  maxConnections,
  notify,
}: {
  readonly connectionString: string;
  readonly schema: string;
  readonly maxConnections: number;
  readonly notify: boolean;
}) {
  return {
    connectionString,
    schema,
    max: maxConnections,
    useListenNotify: notify,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    schedule: false,
  };
}

/** Makes the queues and brings their settings up to date. */
export async function createQueues(
  boss: PgBoss,
  { turnTimeoutMs, maxAttempts, notify }: { readonly turnTimeoutMs: number; readonly maxAttempts: number; readonly notify: boolean },
): Promise<void> {
  const settings = {
    notify,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: Math.max(1, Math.ceil(turnTimeoutMs / 1000)),
    retryLimit: maxAttempts - 1,
    retryDelay: 0,
    // What waits, waits: pg-boss would delete it after 14 days.
    retentionSeconds: 10 * YEAR_SECONDS,
    deleteAfterSeconds: 7 * 86_400,
  };
  for (const queue of QUEUES) {
    await boss.createQueue(queue, { ...settings, policy: 'key_strict_fifo' });
    await boss.updateQueue(queue, settings);
  }
  const timers = { ...settings, expireInSeconds: 60, retryLimit: 1_000, retryDelay: 1 };
  await boss.createQueue(TIMERS, timers);
  await boss.updateQueue(TIMERS, timers);
}
