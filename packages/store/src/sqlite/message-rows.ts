import type { Stored } from '@x/core';
import { readMessage } from '../read-message.js';
import type { Prepare } from './connection.js';
import { mendedPage, pagePart, readPage } from './page-text.js';
import type { OnDamaged } from './set-aside.js';

interface Row {
  readonly seq: number;
  readonly body: string;
}

interface PageRow extends Row {
  readonly next_seq: number;
}

/** How many single messages a conversation has before they are put on pages: reading few rows is what makes waking fast. */
const MOST_SINGLES = 256;
/**
 * Characters of a page, unless one message alone is longer. Above 128 KiB V8 keeps a text outside its common heap, where
 * making one takes several times as long.
 */
const PAGE_CHARACTERS = 50_000;

/** Hands out the readable originals from a place on, in order. */
export function visitMessages(
  prepare: Prepare,
  conversation: number,
  from: number,
  onDamaged: OnDamaged,
  visit: (message: Stored, seq: number) => void,
): void {
  const pages = prepare('SELECT seq, next_seq, body FROM page WHERE conversation = ? AND next_seq > ? ORDER BY seq');
  for (const { seq, next_seq: end, body } of pages.all(conversation, from) as PageRow[]) {
    const isWhole = readPage(body, (message, index) => {
      if (seq + index >= from) visit(message, seq + index);
    });
    if (!isWhole) onDamaged({ table: 'page', conversation, seq, body, mended: mendedPage(body, end - seq) });
  }
  for (const [seq, { message }] of readSingles(prepare, conversation, from, onDamaged)) visit(message, seq);
}

/** The readable originals from a place on, by place. */
export function readMessages(prepare: Prepare, conversation: number, from: number, onDamaged: OnDamaged): ReadonlyMap<number, Stored> {
  const found = new Map<number, Stored>();
  visitMessages(prepare, conversation, from, onDamaged, (message, seq) => found.set(seq, message));
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
  if (first && nextSeq + append.length - first.seq >= MOST_SINGLES)
    pack(prepare, conversation, first.seq, nextSeq + append.length, onDamaged);
}

function pack(prepare: Prepare, conversation: number, first: number, next: number, onDamaged: OnDamaged): void {
  const singles = readSingles(prepare, conversation, first, onDamaged);
  const insert = prepare('INSERT INTO page (conversation, seq, next_seq, body) VALUES (?, ?, ?, ?)');
  let parts: string[] = [];
  let characters = 0;
  const close = (end: number): void => {
    if (parts.length > 0) insert.run(conversation, end - parts.length, end, `[${parts.join(',')}]`);
    parts = [];
    characters = 0;
  };
  for (let seq = first; seq < next; seq += 1) {
    const single = singles.get(seq);
    const part = single ? pagePart(single.message, single.body) : 'null';
    if (characters + part.length > PAGE_CHARACTERS) close(seq);
    parts.push(part);
    characters += part.length;
  }
  close(next);
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
    const message = readMessage(body);
    if (message === undefined) onDamaged({ table: 'message', conversation, seq, body });
    else found.set(seq, { message, body });
  }
  return found;
}
