import { laneKey } from '@x/core';
import { type Lane, type OpenLaneOptions, openLane, type Session } from '@x/runtime';

interface Shared {
  readonly lane: Promise<Lane>;
  users: number;
}

/**
 * Makes an opener of lanes that opens each one once, however many conversations use it, so that all of them wait in one
 * queue. What it returns closes its own sessions; the lane closes with the last of its users.
 */
export function createSharedLanes(): (options: OpenLaneOptions) => Promise<Lane> {
  const open = new Map<string, Shared>();
  const closing = new Map<string, Promise<void>>();

  const release = async (key: string, lane: Lane, timeoutMs: number | undefined): Promise<void> => {
    const shared = open.get(key);
    if (!shared) return;
    shared.users -= 1;
    if (shared.users > 0) return;
    open.delete(key);
    const closed = lane.close({ timeoutMs });
    closing.set(key, closed);
    await closed.finally(() => closing.delete(key));
  };

  return async (options) => {
    const key = laneKey(options.scope);
    // Two queues of one lane would run two turns at once.
    while (closing.has(key)) await closing.get(key)?.catch(() => {});
    const shared = open.get(key) ?? { lane: openLane(options), users: 0 };
    open.set(key, shared);
    shared.users += 1;
    let lane: Lane;
    try {
      lane = await shared.lane;
    } catch (error) {
      if (open.get(key) === shared) open.delete(key);
      throw error;
    }
    const own = new Set<Session>();
    let closed = false;
    return {
      key: lane.key,
      scope: lane.scope,
      memory: lane.memory,
      store: lane.store,
      session(sessionOptions) {
        const session = lane.session(sessionOptions);
        own.add(session);
        return session;
      },
      get busy() {
        return lane.busy;
      },
      async close({ timeoutMs } = {}) {
        if (closed) return;
        closed = true;
        await Promise.all([...own].map((session) => session.close({ timeoutMs })));
        await release(key, lane, timeoutMs);
      },
    };
  };
}
