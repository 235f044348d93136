import {
  type AgentState,
  type Clock,
  createId,
  type IAgentStore,
  type IWorkingMemory,
  type LaneScope,
  type LaneStore,
  laneKey,
  logOperations,
  memoryView,
  type Random,
  systemClock,
} from '@x/core';
import { createBackground } from './background.js';
import { createSession } from './create-session.js';
import { SessionClosedError } from './errors.js';
import { createLaneQueue } from './lane-queue.js';
import { createLaneState } from './lane-state.js';
import type { Session, SessionOptions } from './session-types.js';

export interface OpenLaneOptions {
  readonly store: IAgentStore;
  readonly scope: LaneScope;
  /** The state of a lane that has no commits yet. */
  readonly initial?: Partial<AgentState> | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  /** True when other processes commit to this lane as a rule: each turn then reads the store first. Default false. */
  readonly shared?: boolean | undefined;
}

/** The unit that runs one turn at a time. Open one object per scope and share it: the queue lives in it. */
export interface Lane {
  readonly key: string;
  readonly scope: LaneScope;
  /** The lane's state under the seed's keys; a `set` is a commit, also while a turn runs. */
  readonly memory: IWorkingMemory;
  /** The store's own view, for what a session does not offer. */
  readonly store: LaneStore;
  /** Opens a conversation. Background work that a crash left behind and that this session's hooks know starts at once. @throws `tool_invalid` */
  session(options: SessionOptions): Session;
  /** True while a turn runs. */
  readonly busy: boolean;
  /** Closes all sessions, then stops background work that is left; it runs again when the lane is opened anew. */
  close(options?: { readonly timeoutMs?: number | undefined }): Promise<void>;
}

/**
 * Opens a lane of a store.
 *
 * @throws What the store throws.
 */
export async function openLane({
  store: agents,
  scope,
  initial,
  clock = systemClock,
  random = Math.random,
  shared = false,
}: OpenLaneOptions): Promise<Lane> {
  const key = laneKey(scope);
  const store = await agents.open(scope, initial ? { initial } : {});
  const laneState = createLaneState(store, { lane: key, fresh: shared });
  const queue = createLaneQueue();
  const background = createBackground({ lane: laneState, clock, random });
  const sessions = new Set<Session>();
  const memory = memoryView({
    state: async () => (await laneState.load('main')).state,
    async commit(operations, why) {
      const turn = createId('set', random);
      const { state } = await laneState.load('main');
      const { logged } = logOperations(state, operations, { by: 'host', why, turn, atMs: clock.now() }, () => createId('op', random));
      await laneState.commit({ turn, conversation: 'main', operations: logged });
    },
  });
  let closed = false;
  return {
    key,
    scope,
    memory,
    store,
    session(options) {
      if (closed) throw new SessionClosedError(key);
      const session: Session = createSession(
        { laneKey: key, clock, random, store, queue, laneState, background },
        options,
        () => void sessions.delete(session),
      );
      sessions.add(session);
      return session;
    },
    get busy() {
      return queue.busy;
    },
    async close({ timeoutMs = 5000 } = {}) {
      closed = true;
      await Promise.all([...sessions].map((session) => session.close({ timeoutMs })));
      background.stop(() => new SessionClosedError(key));
      await background.drain(1000);
    },
  };
}
