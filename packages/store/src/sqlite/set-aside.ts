import { idText } from '../id-text.js';
import type { Prepare } from './connection.js';

/** A record of a conversation that could not be read. */
export interface Damaged {
  readonly table: 'message' | 'page' | 'block' | 'fold' | 'parked';
  readonly conversation: number;
  /** Its place in the conversation; 0 where there is only one. */
  readonly seq: number;
  readonly body: string;
  /** What the record becomes, where only a part of it was damaged; else it leaves. */
  readonly mended?: string | undefined;
}

export type OnDamaged = (damaged: Damaged) => void;

/** Keeps a record's bytes where nothing reads them. */
export function keepAside(prepare: Prepare, lane: number, source: string, record: string, body: string, atMs: number): void {
  prepare('INSERT INTO set_aside (lane, source, record, body, at_ms) VALUES (?, ?, ?, ?, ?)').run(lane, source, idText(record), body, atMs);
}

/** Moves damaged records out of the way, so that each is met once. */
export function setAside(prepare: Prepare, lane: number, damaged: readonly Damaged[], atMs: number): void {
  for (const { table, conversation, seq, body, mended } of damaged) {
    keepAside(prepare, lane, table, `${conversation}:${seq}`, body, atMs);
    if (table === 'parked') prepare('UPDATE conversation SET parked = NULL WHERE id = ?').run(conversation);
    else if (table === 'fold') prepare('DELETE FROM fold WHERE conversation = ?').run(conversation);
    else if (mended !== undefined)
      prepare(`UPDATE ${table} SET body = ? WHERE conversation = ? AND seq = ?`).run(mended, conversation, seq);
    else prepare(`DELETE FROM ${table} WHERE conversation = ? AND seq = ?`).run(conversation, seq);
  }
}
