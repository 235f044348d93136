import type { Block, Commit, Snapshot, Stored } from '@x/core';
import { type BlockChain, type BlockChange, NO_BLOCKS } from '../block-chain.js';
import { idText } from '../id-text.js';
import { readBlock, readFold, readHash, readParked } from '../read-parts.js';
import { type Fold, firstSeq, planFold, unfold } from '../transcript.js';
import type { Prepare } from './connection.js';
import { readMessages, visitMessages, writeMessages } from './message-rows.js';
import type { OnDamaged } from './set-aside.js';

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

interface BlockRow {
  readonly seq: number;
  readonly body: string;
}

export type Conversation = Pick<Snapshot, 'transcriptRevision' | 'history' | 'blocks' | 'stableHash' | 'parked'>;

const EMPTY: Conversation = { transcriptRevision: 0, history: [], blocks: [] };

export function readConversation(prepare: Prepare, lane: number, name: string, original: boolean, onDamaged: OnDamaged): Conversation {
  const row = findConversation(prepare, lane, name);
  if (!row) return EMPTY;
  const fold = original ? undefined : findFold(prepare, row, onDamaged);
  const parked = row.parked === null ? undefined : readParked(row.parked);
  if (row.parked !== null && parked === undefined) onDamaged({ table: 'parked', conversation: row.id, seq: 0, body: row.parked });
  return {
    transcriptRevision: row.revision,
    history: fold
      ? unfold(fold, readMessages(prepare, row.id, row.from_seq, onDamaged), row.next_seq)
      : readAll(prepare, row.id, original ? 0 : row.from_seq, onDamaged),
    blocks: readBlocks(prepare, row.id, onDamaged),
    stableHash: readHash(row.stable_hash),
    parked,
  };
}

function readAll(prepare: Prepare, conversation: number, from: number, onDamaged: OnDamaged): readonly Stored[] {
  const history: Stored[] = [];
  visitMessages(prepare, conversation, from, onDamaged, (message) => history.push(message));
  return history;
}

export function writeConversation(
  prepare: Prepare,
  lane: number,
  change: NonNullable<Commit['conversation']>,
  chain: BlockChain,
  onDamaged: OnDamaged,
): void {
  const { append, replace, blocks, stableHash, parked } = change;
  const old = findConversation(prepare, lane, change.id) ?? createConversation(prepare, lane, change.id);
  let fromSeq = old.from_seq;
  if (replace) {
    const fold = planFold(readMessages(prepare, old.id, old.from_seq, onDamaged), replace, old.next_seq);
    fromSeq = firstSeq(fold);
    prepare('INSERT INTO fold (conversation, body) VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body').run(
      old.id,
      JSON.stringify(fold),
    );
  }
  writeMessages(prepare, old.id, old.next_seq, append, onDamaged);
  const notes = chain.change(old.id, { hash: old.blocks_hash, count: old.blocks }, blocks);
  writeBlocks(prepare, old.id, old.blocks, notes);
  prepare(
    `UPDATE conversation SET revision = ?, next_seq = ?, from_seq = ?, blocks = ?, blocks_hash = ?, stable_hash = ?, parked = ?
     WHERE id = ?`,
  ).run(
    old.revision + 1,
    old.next_seq + append.length,
    fromSeq,
    blocks.length,
    notes.hash,
    idText(stableHash),
    parked ? JSON.stringify(parked) : null,
    old.id,
  );
}

function writeBlocks(prepare: Prepare, conversation: number, stored: number, { keep, add }: BlockChange): void {
  if (keep < stored) prepare('DELETE FROM block WHERE conversation = ?').run(conversation);
  const insert = prepare('INSERT INTO block (conversation, seq, body) VALUES (?, ?, ?)');
  add.forEach((body, index) => {
    insert.run(conversation, keep + index, body);
  });
}

function findConversation(prepare: Prepare, lane: number, name: string): ConversationRow | undefined {
  return prepare(
    `SELECT id, revision, next_seq, from_seq, blocks, blocks_hash, stable_hash, parked FROM conversation
     WHERE lane = ? AND name = ?`,
  ).get(lane, idText(name)) as ConversationRow | undefined;
}

function createConversation(prepare: Prepare, lane: number, name: string): ConversationRow {
  const { lastInsertRowid } = prepare(
    `INSERT INTO conversation (lane, name, revision, next_seq, from_seq, blocks, blocks_hash, stable_hash) VALUES (?, ?, 0, 0, 0, 0, ?, '')`,
  ).run(lane, idText(name), NO_BLOCKS);
  const id = Number(lastInsertRowid);
  return { id, revision: 0, next_seq: 0, from_seq: 0, blocks: 0, blocks_hash: NO_BLOCKS, stable_hash: '', parked: null };
}

function findFold(prepare: Prepare, { id, next_seq }: ConversationRow, onDamaged: OnDamaged): Fold | undefined {
  const row = prepare('SELECT body FROM fold WHERE conversation = ?').get(id) as { readonly body: string } | undefined;
  const fold = row && readFold(row.body, next_seq);
  if (row && !fold) onDamaged({ table: 'fold', conversation: id, seq: 0, body: row.body });
  return fold;
}

function readBlocks(prepare: Prepare, conversation: number, onDamaged: OnDamaged): readonly Block[] {
  const rows = prepare('SELECT seq, body FROM block WHERE conversation = ? ORDER BY seq').all(conversation) as BlockRow[];
  return rows.flatMap(({ seq, body }) => {
    const block = readBlock(body);
    if (block !== undefined) return [block];
    onDamaged({ table: 'block', conversation, seq, body });
    return [];
  });
}
