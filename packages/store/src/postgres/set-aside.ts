import { idText } from '../id-text.js';
import type { Query } from './client.js';

/** A record of a conversation that could not be read. */
export interface Damaged {
  readonly table: 'message' | 'block' | 'fold' | 'parked';
  readonly conversation: string;
  /** Its place in the conversation; 0 where there is only one. */
  readonly seq: number;
  readonly body: string;
}

export type OnDamaged = (damaged: Damaged) => void;

/** Keeps a record's bytes where nothing reads them. */
export async function keepAside(
  query: Query,
  schema: string,
  { lane, source, record, body, atMs }: { lane: string; source: string; record: string; body: string; atMs: number },
): Promise<void> {
  const values = [lane, source, idText(record), body, atMs];
  await query(`INSERT INTO ${schema}.set_aside (lane, source, record, body, at_ms) VALUES ($1, $2, $3, $4, $5)`, values);
}

/** Moves damaged records out of the way, so that each is met once. */
export async function setAside(query: Query, schema: string, lane: string, damaged: readonly Damaged[], atMs: number): Promise<void> {
  for (const { table, conversation, seq, body } of damaged) {
    await keepAside(query, schema, { lane, source: table, record: `${conversation}:${seq}`, body, atMs });
    if (table === 'parked') await query(`UPDATE ${schema}.conversation SET parked = NULL WHERE id = $1`, [conversation]);
    else if (table === 'fold') await query(`DELETE FROM ${schema}.fold WHERE conversation = $1`, [conversation]);
    else await query(`DELETE FROM ${schema}.${table} WHERE conversation = $1 AND seq = $2`, [conversation, seq]);
  }
}
