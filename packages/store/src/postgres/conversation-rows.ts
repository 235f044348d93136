import type { Commit, Snapshot } from '@x/core';
import { type BlockChain, NO_BLOCKS } from '../block-chain.js';
import { idText } from '../id-text.js';
import { readMessage } from '../read-message.js';
import { readBlock, readFold, readHash, readParked } from '../read-parts.js';
import { firstSeq, planFold, unfold } from '../transcript.js';
import type { Query } from './client.js';
import type { OnDamaged } from './set-aside.js';

/** A conversation as {@link conversationColumns} reads it; all `null` when there is none. */
export interface ConversationColumns {
  readonly conversation: string | null;
  readonly transcript_revision: number | null;
  readonly next_seq: number | null;
  readonly stable_hash: string | null;
  readonly parked: string | null;
  readonly fold: string | null;
  readonly messages: string | null;
  readonly blocks: string | null;
}

/**
 * The columns of a conversation `c` with all that is in it, so that one statement sees one state of the data. Lists are
 * lines of `<place> <json>`: JSON text has no line breaks of its own, and one long text is read much faster than rows.
 */
export function conversationColumns(schema: string, original: boolean): string {
  const lines = (table: string, where: string): string =>
    `(SELECT string_agg(t.seq || ' ' || t.body, E'\\n' ORDER BY t.seq) FROM ${schema}.${table} t WHERE t.conversation = c.id${where})`;
  return `c.id AS conversation, c.revision AS transcript_revision, c.next_seq, c.stable_hash, c.parked,
    ${original ? 'NULL::text' : `(SELECT f.body FROM ${schema}.fold f WHERE f.conversation = c.id)`} AS fold,
    ${lines('message', original ? '' : ' AND t.seq >= c.from_seq')} AS messages, ${lines('block', '')} AS blocks`;
}

export type Conversation = Pick<Snapshot, 'transcriptRevision' | 'history' | 'blocks' | 'stableHash' | 'parked'>;

export function readConversation(row: ConversationColumns | undefined, onDamaged: OnDamaged): Conversation {
  if (row?.conversation == null) return { transcriptRevision: 0, history: [], blocks: [] };
  const conversation = row.conversation;
  const fold = row.fold === null ? undefined : readFold(row.fold, row.next_seq ?? 0);
  if (row.fold !== null && !fold) onDamaged({ table: 'fold', conversation, seq: 0, body: row.fold });
  const parked = row.parked === null ? undefined : readParked(row.parked);
  if (row.parked !== null && !parked) onDamaged({ table: 'parked', conversation, seq: 0, body: row.parked });
  const messages = readLines(row.messages, readMessage, (seq, body) => onDamaged({ table: 'message', conversation, seq, body }));
  const blocks = readLines(row.blocks, readBlock, (seq, body) => onDamaged({ table: 'block', conversation, seq, body }));
  return {
    transcriptRevision: row.transcript_revision ?? 0,
    history: fold ? unfold(fold, messages, row.next_seq ?? 0) : [...messages.values()],
    blocks: [...blocks.values()],
    stableHash: readHash(row.stable_hash),
    parked,
  };
}

interface ConversationRow {
  readonly id: string;
  readonly revision: number;
  readonly next_seq: number;
  readonly from_seq: number;
  readonly blocks: number;
  readonly blocks_hash: string;
}

export async function writeConversation(
  query: Query,
  schema: string,
  lane: string,
  { id: name, append, replace, blocks, stableHash, parked }: NonNullable<Commit['conversation']>,
  chain: BlockChain,
): Promise<void> {
  // The lane is locked: nobody else adds a conversation to it.
  const [old] = await query<ConversationRow>(
    `WITH there AS (SELECT id, revision, next_seq, from_seq, blocks, blocks_hash FROM ${schema}.conversation WHERE lane = $1 AND name = $2),
     made AS (INSERT INTO ${schema}.conversation (lane, name, revision, next_seq, from_seq, blocks, blocks_hash, stable_hash)
       SELECT $1, $2, 0, 0, 0, 0, $3, '' WHERE NOT EXISTS (SELECT 1 FROM there)
       RETURNING id, revision, next_seq, from_seq, blocks, blocks_hash)
     SELECT * FROM there UNION ALL SELECT * FROM made`,
    [lane, idText(name), NO_BLOCKS],
  );
  if (!old) return;
  let fromSeq = old.from_seq;
  if (replace) {
    const rows = await query<{ readonly seq: number; readonly body: string }>(
      `SELECT seq, body FROM ${schema}.message WHERE conversation = $1 AND seq >= $2 ORDER BY seq`,
      [old.id, old.from_seq],
    );
    const originals = new Map(
      rows.flatMap(({ seq, body }) => {
        const message = readMessage(body);
        return message ? [[seq, message] as const] : [];
      }),
    );
    const fold = planFold(originals, replace, old.next_seq);
    fromSeq = firstSeq(fold);
    await query(
      `INSERT INTO ${schema}.fold (conversation, body) VALUES ($1, $2) ON CONFLICT (conversation) DO UPDATE SET body = excluded.body`,
      [old.id, JSON.stringify(fold)],
    );
  }
  const notes = chain.change(old.id, { hash: old.blocks_hash, count: old.blocks }, blocks);
  if (notes.keep < old.blocks) await query(`DELETE FROM ${schema}.block WHERE conversation = $1`, [old.id]);
  const values = [
    old.id,
    old.revision + 1,
    old.next_seq,
    append.length,
    fromSeq,
    blocks.length,
    notes.hash,
    idText(stableHash),
    parked ? JSON.stringify(parked) : null,
    append.map((message) => JSON.stringify(message)),
    notes.keep,
    notes.add,
  ];
  await query(
    `WITH said AS (INSERT INTO ${schema}.message (conversation, seq, body)
       SELECT $1::bigint, $3::integer + n - 1, body FROM unnest($10::text[]) WITH ORDINALITY AS m (body, n)),
     noted AS (INSERT INTO ${schema}.block (conversation, seq, body)
       SELECT $1::bigint, $11::integer + n - 1, body FROM unnest($12::text[]) WITH ORDINALITY AS b (body, n))
     UPDATE ${schema}.conversation SET revision = $2, next_seq = $3::integer + $4::integer, from_seq = $5, blocks = $6, blocks_hash = $7,
       stable_hash = $8, parked = $9 WHERE id = $1::bigint`,
    values,
  );
}

function readLines<T>(
  lines: string | null,
  read: (body: string) => T | undefined,
  onDamaged: (seq: number, body: string) => void,
): ReadonlyMap<number, T> {
  const found = new Map<number, T>();
  for (const line of lines?.split('\n') ?? []) {
    const space = line.indexOf(' ');
    const seq = Number(line.slice(0, space));
    const body = line.slice(space + 1);
    const value = read(body);
    if (value === undefined) onDamaged(seq, body);
    else found.set(seq, value);
  }
  return found;
}
