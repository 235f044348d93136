import { laneKey, toStoredJson } from '@x/core';
import type { PgBoss } from 'pg-boss';
import { checkAtMs } from '../engine/check-time.js';
import { journalStep } from '../engine/step-journal.js';
import type { Blocked, EngineQueue, TurnEngine, TurnRequest } from '../engine/turn-engine.js';
import { idText } from '../id-text.js';
import type { Query } from '../postgres/client.js';
import type { PostgresStore } from '../postgres/postgres-store.js';
import { QUEUES, TIMERS } from './boss-settings.js';
import { guarded } from './guarded.js';
import { type JobData, jobData } from './job-data.js';
import { jobId } from './job-id.js';
import { bossOn, type LeaseGuard } from './lease.js';
import { removeSteps, stepRows } from './step-rows.js';

/** Turns as jobs of pg-boss: a lane is a key whose jobs run one at a time, in order. */
export interface BossTurns extends TurnEngine {
  enqueueTurn(turn: TurnRequest, options?: { readonly query?: Query | undefined }): Promise<{ readonly accepted: boolean }>;
  /** False when the turn was there before. With `query` it is put in by that transaction. */
  send(turn: TurnRequest, query?: Query): Promise<boolean>;
  /** Lets a lane go on whose first turn used up its attempts. True for the one caller that did. */
  releaseBlocked(queue: EngineQueue, id: string): Promise<boolean>;
}

export function createBossTurns({
  boss,
  store,
  guard,
}: {
  readonly boss: PgBoss;
  readonly store: PostgresStore;
  readonly guard: LeaseGuard;
}): BossTurns {
  const send = async (turn: TurnRequest, query?: Query): Promise<boolean> => {
    const { scope, id, queue = 'turns' } = turn;
    const lane = laneKey(scope);
    const sent = await guarded(() =>
      boss.send(queue, jobData({ ...turn, input: toStoredJson(turn.input) }), {
        id: jobId(queue, lane, id),
        singletonKey: idText(lane),
        ...(query && { db: bossOn(query) }),
      }),
    );
    return sent !== null;
  };

  const releaseBlocked = async (queue: EngineQueue, id: string): Promise<boolean> => {
    const [job] = await guarded(() => boss.findJobs(queue, { id }));
    if (job?.state !== 'failed') return false;
    const { affected } = (await guarded(() => boss.deleteJob(queue, id))) as { affected: number };
    return affected > 0;
  };

  return {
    send,
    releaseBlocked,
    enqueueTurn: async (turn, { query }: { readonly query?: Query | undefined } = {}) => ({ accepted: await send(turn, query) }),
    async schedule({ key, atMs, turn }) {
      checkAtMs(atMs);
      const data = { ...jobData({ ...turn, input: toStoredJson(turn.input) }), queue: turn.queue ?? 'turns' };
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
}
