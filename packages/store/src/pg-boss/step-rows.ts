import { FenceStaleError } from '@x/core';
import type { StepRecord, StepTable } from '../engine/step-journal.js';
import type { Delivery } from '../engine/turn-engine.js';
import { idText } from '../id-text.js';
import type { Query } from '../postgres/client.js';

interface Row {
  readonly token: number;
  readonly state: StepRecord['state'];
  readonly request: string | null;
  readonly result: string | null;
}

export interface StepRowsOptions {
  readonly schema: string;
  readonly transaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>;
  /** Throws `fence_stale` when the delivery's lease is over; holds the lease until the transaction ends. */
  readonly check: (query: Query, delivery: Delivery) => Promise<void>;
}

/** The steps of one delivery's turn. */
export function stepRows({ schema, transaction, check }: StepRowsOptions, delivery: Delivery): StepTable {
  const turn = [delivery.queue, idText(delivery.lane), idText(delivery.id)];
  const where = 'queue = $1 AND lane = $2 AND turn = $3 AND id = $4';
  return {
    begin: (step, request) =>
      transaction(async (query) => {
        await check(query, delivery);
        const made = await query(
          `INSERT INTO ${schema}.step (queue, lane, turn, id, token, state, request) VALUES ($1, $2, $3, $4, $5, 'begun', $6)
           ON CONFLICT DO NOTHING RETURNING id`,
          [...turn, idText(step.id), delivery.token, request ?? null],
        );
        if (made.length > 0) return undefined;
        const [row] = await query<Row>(`SELECT token, state, request, result FROM ${schema}.step WHERE ${where}`, [
          ...turn,
          idText(step.id),
        ]);
        if (!row) throw new FenceStaleError({ lane: delivery.lane, fence: delivery.token, seen: delivery.token + 1 });
        return { token: row.token, state: row.state, request: row.request ?? undefined, result: row.result ?? undefined };
      }),
    change: (step, from, { token, state, result }) =>
      transaction(async (query) => {
        const changed = await query(
          `UPDATE ${schema}.step SET token = $6, state = $7, result = $8 WHERE ${where} AND token = $5 RETURNING id`,
          [...turn, idText(step.id), from, token, state, result ?? null],
        );
        return changed.length > 0;
      }),
    async remove(step) {
      await transaction((query) =>
        query(`DELETE FROM ${schema}.step WHERE ${where} AND token = $5`, [...turn, idText(step.id), delivery.token]),
      );
    },
  };
}

/** What is known of a turn's steps is of no use once the turn has an outcome. */
export async function removeSteps(
  query: Query,
  schema: string,
  { queue, lane, id }: Pick<Delivery, 'queue' | 'lane' | 'id'>,
): Promise<void> {
  await query(`DELETE FROM ${schema}.step WHERE queue = $1 AND lane = $2 AND turn = $3`, [queue, idText(lane), idText(id)]);
}
