import { answerTurnId, FenceStaleError, type IAgentStore } from '@x/core';
import type { PgBoss } from 'pg-boss';
import type { Delivery, Fence } from '../engine/turn-engine.js';
import { idText } from '../id-text.js';
import type { Query } from '../postgres/client.js';
import type { PostgresStore } from '../postgres/postgres-store.js';
import type { Attempt } from './lease-rows.js';
import { removeSteps } from './step-rows.js';

/** What a delivery may do as long as its lease holds. */
export interface LeaseGuard {
  /** Remembers which attempt of which job a delivery is: deliveries are handed out as plain data. */
  claim(signal: AbortSignal, job: Attempt): void;
  /** Holds a lease until the transaction ends. @throws `fence_stale` */
  check(query: Query, delivery: Delivery): Promise<void>;
  fence(delivery: Delivery): Fence;
  stale(delivery: Delivery): FenceStaleError;
}

/** Lets pg-boss run its statements inside a transaction of the store. */
export function bossOn(query: Query) {
  return { executeSql: async (text: string, values: unknown[] = []) => ({ rows: [...(await query<never>(text, values))] }) };
}

export function createLeaseGuard(boss: Pick<PgBoss, 'touch' | 'complete'>, store: PostgresStore): LeaseGuard {
  const claims = new WeakMap<AbortSignal, Attempt>();
  const stale = ({ lane, token }: Delivery): FenceStaleError => new FenceStaleError({ lane, fence: token, seen: token + 1 });
  const claimOf = (delivery: Delivery): Attempt => {
    const claim = claims.get(delivery.signal);
    if (!claim) throw stale(delivery);
    return claim;
  };

  const check = async (query: Query, delivery: Delivery): Promise<void> => {
    if (delivery.queue === 'turns') {
      const sql = `SELECT fence FROM ${store.schema}.lane WHERE key = $1 FOR SHARE`;
      const [lane] = await query<{ readonly fence: number }>(sql, [idText(delivery.lane)]);
      if (lane?.fence !== delivery.token) throw stale(delivery);
    }
    const { affected } = (await boss.touch(delivery.queue, claimOf(delivery), { db: bossOn(query) })) as { affected: number };
    if (affected === 0) throw stale(delivery);
  };

  /** Ends a delivery inside a transaction; takes the transaction back when the lease is over. */
  const complete = async (query: Query, delivery: Delivery): Promise<void> => {
    const output = { outcome: 'done' };
    const { affected } = (await boss.complete(delivery.queue, claimOf(delivery), output, { db: bossOn(query) })) as { affected: number };
    if (affected === 0) throw stale(delivery);
    await removeSteps(query, store.schema, delivery);
  };

  const leasedStore = (delivery: Delivery): IAgentStore => ({
    async open(scope, options) {
      const lane = await store.open(scope, options);
      return {
        ...lane,
        async commit(change) {
          // State alone, as of background work, needs no lease: its turn names it once.
          if (!change.conversation) return lane.commit(change);
          const ends = isCommitOf(delivery, change.turn);
          const leased = delivery.queue === 'turns' ? { ...change, fence: delivery.token } : change;
          return lane.commit(leased, (query) => (ends ? complete(query, delivery) : check(query, delivery)));
        },
      };
    },
  });

  return {
    claim: (signal, job) => void claims.set(signal, job),
    check,
    stale,
    fence: (delivery) => ({
      token: delivery.token,
      check: () => store.transaction((query) => check(query, delivery)),
      store: leasedStore(delivery),
    }),
  };
}

/** True for the delivered turn's own commit, and for that of a parked turn to which it brings the answer. */
function isCommitOf({ id }: Delivery, turn: string): boolean {
  const end = answerTurnId('', id);
  return turn === id || (turn.endsWith(end) && turn !== end);
}
