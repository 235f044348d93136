import type { Stored } from '@x/core';
import { readRecord } from '../read-records.js';
import type { Prepare } from './connection.js';
import type { OnDamaged } from './set-aside.js';

interface Row {
  readonly seq: number;
  readonly body: string;
}

/** How many single messages a conversation has before they are put on one page: reading few rows is what makes waking fast. */
const PAGE_SIZE = 1024;

/** The readable originals from a place on, by place. */
export function readMessages(prepare: Prepare, conversation: number, from: number, onDamaged: OnDamaged): ReadonlyMap<number, Stored> {
  const found = new Map<number, Stored>();
  const pages = prepare('SELECT seq, body FROM page WHERE conversation = ? AND next_seq > ? ORDER BY seq').all(conversation, from) as Row[];
  for (const { seq, body } of pages) {
    const messages = readRecord(body);
    if (!Array.isArray(messages)) onDamaged({ table: 'page', conversation, seq, body });
    else
      (messages as (Stored | null)[]).forEach((message, index) => {
        if (message !== null && seq + index >= from) found.set(seq + index, message);
      });
  }
  for (const [seq, { message }] of readSingles(prepare, conversation, from, onDamaged)) found.set(seq, message);
  return found;
}

/** Adds messages at the end. */
export function writeMessages(
  prepare: Prepare,
  conversation: number,
  nextSeq: number,
  append: readonly Stored[],
  onDamaged: OnDamaged,
): void {
  const insert = prepare('INSERT INTO message (conversation, seq, body) VALUES (?, ?, ?)');
  append.forEach((message, index) => {
    insert.run(conversation, nextSeq + index, JSON.stringify(message));
  });
  const first = prepare('SELECT seq FROM message WHERE conversation = ? ORDER BY seq LIMIT 1').get(conversation) as
    | { readonly seq: number }
    | undefined;
  if (first && nextSeq + append.length - first.seq >= PAGE_SIZE) pack(prepare, conversation, first.seq, nextSeq + append.length, onDamaged);
}

function pack(prepare: Prepare, conversation: number, first: number, next: number, onDamaged: OnDamaged): void {
  const singles = readSingles(prepare, conversation, first, onDamaged);
  const bodies = Array.from({ length: next - first }, (_, index) => singles.get(first + index)?.body ?? 'null');
  prepare('INSERT INTO page (conversation, seq, next_seq, body) VALUES (?, ?, ?, ?)').run(
    conversation,
    first,
    next,
    `[${bodies.join(',')}]`,
  );
  prepare('DELETE FROM message WHERE conversation = ? AND seq < ?').run(conversation, next);
}

function readSingles(
  prepare: Prepare,
  conversation: number,
  from: number,
  onDamaged: OnDamaged,
): ReadonlyMap<number, { readonly message: Stored; readonly body: string }> {
  const rows = prepare('SELECT seq, body FROM message WHERE conversation = ? AND seq >= ? ORDER BY seq').all(conversation, from) as Row[];
  const found = new Map<number, { message: Stored; body: string }>();
  for (const { seq, body } of rows) {
    const message = readRecord(body) as Stored | undefined;
    if (message === undefined) onDamaged({ table: 'message', conversation, seq, body });
    else found.set(seq, { message, body });
  }
  return found;
}
