import { isMessageRole, type Stored } from '@x/core';
import { isMessage } from '../read-message.js';
import { readRecord } from '../read-records.js';

/*
 * A page is a JSON list. A message of four texts alone, as nearly all are, stands in it as id, role, origin and content one
 * after the other: without the names it is shorter, and read in half the time. A number before them tells the order of its
 * fields, unless it is the first one of `ORDERS`. Any other message stands as the object that it is, and null where one is
 * missing.
 */

/** Items of a message that stands as its texts. */
const ITEMS = 4;

type Texts = readonly [id: string, role: Stored['role'], origin: Stored['origin'], content: string];

/** The orders that a message's fields are written in here; it comes back as it was, to the byte. */
const ORDERS: readonly { readonly names: string; make(...texts: Texts): object }[] = [
  { names: 'id,role,content,origin', make: (id, role, origin, content) => ({ id, role, content, origin }) },
  { names: 'id,origin,role,content', make: (id, role, origin, content) => ({ id, origin, role, content }) },
  { names: 'id,role,origin,content', make: (id, role, origin, content) => ({ id, role, origin, content }) },
];

/** A message's part of a page. */
export function pagePart(message: Stored, body: string): string {
  const names = Object.keys(message).join();
  const order = ORDERS.findIndex((one) => one.names === names);
  const { id, role, origin, content } = message;
  if (order < 0 || plainMessage(order, id, role, origin, content) === undefined) return body;
  const texts = JSON.stringify([id, role, origin, content]).slice(1, -1);
  return order === 0 ? texts : `${order},${texts}`;
}

/**
 * Hands out the messages of a page, with how many stand before each.
 *
 * @returns True when all of it could be read.
 */
export function readPage(body: string, visit: (message: Stored, index: number) => void): boolean {
  const items: unknown = readRecord(body);
  if (!Array.isArray(items)) return false;
  let isWhole = true;
  let index = 0;
  for (let at = 0; at < items.length; index += 1) {
    const order: unknown = typeof items[at] === 'number' ? items[at++] : 0;
    const item: unknown = items[at];
    if (typeof item === 'string') {
      const message = plainMessage(order as number, item, items[at + 1], items[at + 2], items[at + 3]);
      if (message) visit(message, index);
      else isWhole = false;
      at += ITEMS;
    } else {
      if (isMessage(item)) visit(item, index);
      else isWhole &&= item === null;
      at += 1;
    }
  }
  return isWhole;
}

/** A page with what can be read of another one, which has `count` messages. */
export function mendedPage(body: string, count: number): string {
  const good: (Stored | null)[] = Array.from({ length: count }, () => null);
  readPage(body, (message, index) => {
    if (index < count) good[index] = message;
  });
  return JSON.stringify(good);
}

function plainMessage(order: number, id: string, role: unknown, origin: unknown, content: unknown): Stored | undefined {
  if (!isMessageRole(role) || role === 'tool' || typeof origin !== 'string' || typeof content !== 'string') return undefined;
  return ORDERS[order]?.make(id, role, origin as Stored['origin'], content) as Stored | undefined;
}
