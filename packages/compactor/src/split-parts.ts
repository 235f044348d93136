import { jsonOf } from './dialect.js';
import { splitGroup } from './split-group.js';
import type { Summarised } from './summary.js';

export interface Splittable {
  readonly messages: readonly object[];
  /** Starts of the groups among them that may not be split. */
  readonly starts: readonly number[];
  /** Goes with the first part. */
  readonly previous: string;
}

export interface SplitOptions {
  /** Tokens that one part may have, as far as the counts allow. */
  readonly room: number;
  readonly countText: (text: string) => number;
  readonly countMessage: (message: object) => number;
}

/** Splits messages between their groups into parts that one call holds; a group too long for that is told in pieces. */
export function splitParts({ messages, starts, previous }: Splittable, options: SplitOptions): readonly (readonly object[])[] {
  const { room, countText, countMessage } = options;
  const parts: object[][] = [];
  let part: object[] = [];
  let tokens = countText(previous);
  const countAll = (group: readonly object[]): number => group.reduce((sum, message) => sum + countMessage(message), 0);
  const add = (group: readonly object[], size: number): void => {
    if (part.length > 0 && tokens + size > room) {
      parts.push(part);
      part = [];
      tokens = 0;
    }
    for (const message of group) part.push(message);
    tokens += size;
  };
  for (const [position, start] of starts.entries()) {
    const group = messages.slice(start, starts[position + 1] ?? messages.length);
    const size = countAll(group);
    const free = parts.length + part.length === 0 ? room - tokens : room;
    if (size <= free) add(group, size);
    else for (const piece of splitGroup(group, size, free, options)) add(piece, countAll(piece));
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

/** Finished parts that are remembered, so that a failure in a later one does not cost them again. */
const CACHED_PARTS = 64;

/** Keeps summaries of parts by all that went into them. */
export function createPartCache() {
  const kept = new Map<string, Summarised>();
  return {
    /** The key of a part; `undefined` for one that cannot be told from others, and so is not kept. */
    keyOf(messages: readonly object[], previous: string): string | undefined {
      const text = jsonOf(messages);
      return text === '' ? undefined : `${previous.length}:${previous}${text}`;
    },
    get: (key: string | undefined): Summarised | undefined => (key === undefined ? undefined : kept.get(key)),
    put(key: string | undefined, summarised: Summarised): void {
      if (key === undefined) return;
      if (kept.size >= CACHED_PARTS) kept.delete(kept.keys().next().value!);
      kept.set(key, summarised);
    },
    forget(keys: readonly (string | undefined)[]): void {
      for (const key of keys) if (key !== undefined) kept.delete(key);
    },
  };
}
