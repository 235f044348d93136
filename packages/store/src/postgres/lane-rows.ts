import type { AgentState } from '@x/core';
import type { LaneNames } from '../commit-plan.js';
import { idText } from '../id-text.js';
import { type LaneColumns, operationsIn, type ReadHead, readHead } from '../lane-head.js';
import type { Query } from './client.js';

export interface LaneRow extends LaneColumns {
  readonly id: string;
}

export interface FoundLane extends ReadHead {
  readonly id: string;
}

/** Reads a lane's row; makes the state anew from the log where it is damaged. */
export async function headOf(query: Query, schema: string, row: LaneRow | undefined, start: AgentState): Promise<ReadHead> {
  const read = readHead(row, start, []);
  if (!row || !read.damaged.some(({ column }) => column === 'state')) return read;
  const log = await query<{ readonly body: string }>(`SELECT body FROM ${schema}.operation WHERE lane = $1 ORDER BY seq`, [row.id]);
  return readHead(
    row,
    start,
    log.flatMap(({ body }) => operationsIn(body)),
  );
}

/** Finds a lane and keeps others from changing it until the transaction ends; a lane without a row gets an empty one. */
export async function lockLane(query: Query, schema: string, names: LaneNames, start: AgentState): Promise<FoundLane> {
  const select = (): Promise<readonly LaneRow[]> =>
    query<LaneRow>(`SELECT id, revision, fence, initial, state, events, batches FROM ${schema}.lane WHERE key = $1 FOR UPDATE`, [
      idText(names.key),
    ]);
  let [row] = await select();
  if (!row) {
    await query(
      `INSERT INTO ${schema}.lane (key, owner, revision, fence, events, batches) VALUES ($1, $2, 0, 0, '[]', '[]') ON CONFLICT DO NOTHING`,
      [idText(names.key), idText(names.owner)],
    );
    [row] = await select();
  }
  return { id: row?.id ?? '', ...(await headOf(query, schema, row, start)) };
}
