import type { Lane } from './open-lane.js';
import type { Session } from './session-types.js';

/** A lane with its one conversation. */
export interface OpenConversation {
  readonly lane: Lane;
  readonly session: Session;
}

/** Conversations by id; when there are many, those that were used longest ago and have nothing to do are closed. */
export interface OpenConversations {
  /** Opens the conversation if need be; it stays open while the work runs. */
  use<T>(id: string, work: (opened: OpenConversation) => Promise<T> | T): Promise<T>;
  closeAll(timeoutMs: number | undefined): Promise<void>;
}

interface Entry {
  readonly opened: Promise<OpenConversation>;
  /** Once it is open. */
  lane?: Lane | undefined;
  users: number;
}

/** @param maxOpen - More stay open only while all of them are busy. */
export function createOpenConversations(open: (id: string) => Promise<OpenConversation>, maxOpen: number): OpenConversations {
  const entries = new Map<string, Entry>();
  /** A lane must be closed before its conversation is opened anew: two would run turns at the same time. */
  const closing = new Map<string, Promise<void>>();

  const enter = (id: string): Entry => {
    const known = entries.get(id);
    const before = closing.get(id);
    const entry: Entry = known ?? { opened: before !== undefined ? before.then(() => open(id)) : open(id), users: 0 };
    entries.delete(id); // the newest stands last
    entries.set(id, entry);
    if (known) return known;
    entry.opened.then(
      ({ lane }) => {
        entry.lane = lane;
      },
      () => {
        if (entries.get(id) === entry) entries.delete(id);
      },
    );
    return entry;
  };
  const close = (id: string, { opened }: Entry, timeoutMs?: number | undefined): Promise<void> => {
    entries.delete(id);
    const closed = opened
      .then(({ lane }) => lane.close({ timeoutMs }))
      .catch(() => {}) // it could not be opened, or the store failed: what was committed is there
      .finally(() => closing.delete(id));
    closing.set(id, closed);
    return closed;
  };
  const makeRoom = (): void => {
    if (entries.size <= maxOpen) return;
    for (const [id, entry] of entries) {
      if (entry.users > 0 || !entry.lane || entry.lane.busy) continue;
      void close(id, entry);
      if (entries.size <= maxOpen) return;
    }
  };
  return {
    async use(id, work) {
      const entry = enter(id);
      entry.users += 1;
      try {
        makeRoom();
        return await work(await entry.opened);
      } finally {
        entry.users -= 1;
        makeRoom();
      }
    },
    async closeAll(timeoutMs) {
      await Promise.all([...entries].map(([id, entry]) => close(id, entry, timeoutMs)));
      await Promise.all(closing.values());
    },
  };
}
