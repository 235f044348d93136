import type { Block, Commit, Json, Parked, Snapshot, Stored } from '@x/core';
import { blocksHash } from '../blocks-hash.js';
import { idText } from '../id-text.js';
import { readRecord, readRecords } from '../read-records.js';
import { type Fold, firstSeq, type MessageRow, planFold, unfold } from '../transcript.js';
import type { Prepare } from './connection.js';

interface ConversationRow {
  readonly id: number;
  readonly revision: number;
  readonly next_seq: number;
  readonly from_seq: number;
  readonly blocks: number;
  readonly blocks_hash: string;
  readonly stable_hash: string;
  readonly parked: string | null;
}

/** A record that could not be read. */
export interface Damaged {
  readonly table: 'message' | 'block' | 'fold' | 'conversation';
  readonly conversation: number;
  readonly record: string;
  readonly body: string;
}

export type Conversation = Pick<Snapshot, 'transcriptRevision' | 'history' | 'blocks' | 'stableHash' | 'parked'>;

const EMPTY: Conversation = { transcriptRevision: 0, history: [], blocks: [] };

export function readConversation(
  prepare: Prepare,
  lane: number,
  name: string,
  original: boolean,
  onDamaged: (damaged: Damaged) => void,
): Conversation {
  const row = findConversation(prepare, lane, name);
  if (!row) return EMPTY;
  const damaged = (table: Damaged['table'], record: string, body: string): void => onDamaged({ table, conversation: row.id, record, body });
  const fold = original ? undefined : readFold(prepare, row.id, (body) => damaged('fold', name, body));
  const messages = messageRows(prepare, row.id, original ? 0 : row.from_seq);
  const blocks = prepare('SELECT seq, body FROM block WHERE conversation = ? ORDER BY seq').all(row.id) as MessageRow[];
  const parked = row.parked === null ? undefined : readRecord(row.parked);
  if (row.parked !== null && parked === undefined) damaged('conversation', `${name}.parked`, row.parked);
  const stored = readRows<Stored>(messages, (message) => damaged('message', String(message.seq), message.body));
  return {
    transcriptRevision: row.revision,
    history: fold ? unfold(fold, stored, row.next_seq) : [...stored.values()],
    blocks: [...readRows<Block>(blocks, (block) => damaged('block', String(block.seq), block.body)).values()],
    stableHash: row.stable_hash,
    parked: parked as Parked | undefined,
  };
}

export function writeConversation(prepare: Prepare, lane: number, change: NonNullable<Commit['conversation']>): void {
  const { append, replace, blocks, stableHash, parked } = change;
  const old = findConversation(prepare, lane, change.id) ?? createConversation(prepare, lane, change.id);
  let fromSeq = old.from_seq;
  if (replace) {
    const fold = planFold(messageRows(prepare, old.id, old.from_seq), replace, old.next_seq);
    fromSeq = firstSeq(fold);
    prepare('INSERT INTO fold (conversation, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body').run(
      old.id,
      JSON.stringify(fold),
    );
  }
  append.forEach((message, index) => {
    prepare('INSERT INTO message (conversation, seq, body) VALUES (?, ?, ?)').run(old.id, old.next_seq + index, JSON.stringify(message));
  });
  const hash = writeBlocks(prepare, old, blocks);
  prepare(
    `UPDATE conversation SET revision = ?, next_seq = ?, from_seq = ?, blocks = ?, blocks_hash = ?, stable_hash = ?, parked = ?
     WHERE id = ?`,
  ).run(
    old.revision + 1,
    old.next_seq + append.length,
    fromSeq,
    blocks.length,
    hash,
    stableHash,
    parked ? JSON.stringify(parked) : null,
    old.id,
  );
}

/** Adds the new ones where the list only grew, else writes all of it anew. @returns The hash of the list. */
function writeBlocks(prepare: Prepare, old: ConversationRow, blocks: readonly Block[]): string {
  const bodies = blocks.map((block) => JSON.stringify(block));
  const { hash, prefixHash } = blocksHash(bodies, old.blocks);
  if (hash === old.blocks_hash) return hash;
  const grew = prefixHash === old.blocks_hash;
  if (!grew) prepare('DELETE FROM block WHERE conversation = ?').run(old.id);
  const insert = prepare('INSERT INTO block (conversation, seq, body) VALUES (?, ?, ?)');
  for (let seq = grew ? old.blocks : 0; seq < bodies.length; seq += 1) insert.run(old.id, seq, bodies[seq] ?? '');
  return hash;
}

function findConversation(prepare: Prepare, lane: number, name: string): ConversationRow | undefined {
  return prepare(
    `SELECT id, revision, next_seq, from_seq, blocks, blocks_hash, stable_hash, parked FROM conversation
     WHERE lane = ? AND name = ?`,
  ).get(lane, idText(name)) as ConversationRow | undefined;
}

function createConversation(prepare: Prepare, lane: number, name: string): ConversationRow {
  const { hash } = blocksHash([], 0);
  const { lastInsertRowid } = prepare(
    `INSERT INTO conversation (lane, name, revision, next_seq, from_seq, blocks, blocks_hash, stable_hash) VALUES (?, ?, 0, 0, 0, 0, ?, '')`,
  ).run(lane, idText(name), hash);
  const id = Number(lastInsertRowid);
  return { id, revision: 0, next_seq: 0, from_seq: 0, blocks: 0, blocks_hash: hash, stable_hash: '', parked: null };
}

function messageRows(prepare: Prepare, conversation: number, from: number): readonly MessageRow[] {
  return prepare('SELECT seq, body FROM message WHERE conversation = ? AND seq >= ? ORDER BY seq').all(conversation, from) as MessageRow[];
}

function readFold(prepare: Prepare, conversation: number, onDamaged: (body: string) => void): Fold | undefined {
  const row = prepare('SELECT body FROM fold WHERE conversation = ?').get(conversation) as { readonly body: string } | undefined;
  if (!row) return undefined;
  const fold = readRecord(row.body) as Json & Fold;
  if (Array.isArray(fold?.segments) && typeof fold.tail === 'number') return fold;
  onDamaged(row.body);
  return undefined;
}

/** The readable ones by place. */
function readRows<T>(rows: readonly MessageRow[], onDamaged: (row: MessageRow) => void): ReadonlyMap<number, T> {
  const values = readRecords<T>(
    rows.map(({ body }) => body),
    (index) => {
      const row = rows[index];
      if (row) onDamaged(row);
    },
  );
  const found = new Map<number, T>();
  rows.forEach(({ seq }, index) => {
    const value = values[index];
    if (value !== undefined) found.set(seq, value);
  });
  return found;
}
