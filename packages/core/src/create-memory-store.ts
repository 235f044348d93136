import { type Clock, createId, type Random, systemClock } from './clock.js';
import { toStoredJson } from './json.js';
import { logOperations } from './log-operations.js';
import { afterChange, emptyLane, type HeldLane, planCommit, snapshotOf } from './memory-lane.js';
import { operationsOf } from './memory-log.js';
import { memoryView } from './memory-view.js';
import type { Stored } from './messages.js';
import { startState } from './state.js';
import { type Commit, type IAgentStore, type LaneScope, type LaneStore, laneKey, sessionsPrefix } from './store.js';
import { freezeDeep } from './values.js';

export interface MemoryStoreOptions {
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** A store in this process's memory, which also can erase a lane. */
export type MemoryStore = IAgentStore & { forget(scope: LaneScope): Promise<void> };

/**
 * Makes a store that lives as long as the process. Everything is copied in; what it hands out is frozen.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const { forget, open } = createHeldStore(options);
  return { forget, open: async (scope, openOptions) => (await open(scope, openOptions)).lane };
}

interface HeldStoreOptions extends MemoryStoreOptions {
  /** Keeps a conversation elsewhere too, before a commit counts; when it rejects, the commit has changed nothing. */
  readonly save?: ((lane: string, conversation: string, history: readonly Stored[]) => Promise<void>) | undefined;
}

interface HeldStore {
  open(
    scope: LaneScope,
    options?: Parameters<IAgentStore['open']>[1],
  ): Promise<{
    readonly lane: LaneStore;
    /** Begins a conversation with messages from elsewhere; no commit, and without effect on one that has begun. */
    begin(conversation: string, messages: readonly Stored[]): void;
  }>;
  forget(scope: LaneScope): Promise<void>;
}

/** {@link createMemoryStore} with a second place for conversations. */
export function createHeldStore({ clock = systemClock, random = Math.random, save }: HeldStoreOptions): HeldStore {
  const lanes = new Map<string, HeldLane>();
  /** The lanes of one persona and user, by the beginning that their keys share. */
  const owners = new Map<string, Set<HeldLane>>();
  const keep = (scope: LaneScope, lane: HeldLane): void => {
    const key = laneKey(scope);
    if (lanes.has(key)) return;
    lanes.set(key, lane);
    const owner = sessionsPrefix(scope);
    const others = owners.get(owner);
    if (others) others.add(lane);
    else owners.set(owner, new Set([lane]));
  };
  // Commits of one lane come one after another: while one is saved elsewhere, no other may be planned on what it changes.
  const last = new Map<string, Promise<unknown>>();
  const inTurn = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    if (!save) return work();
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
  let places = 0;
  let erasures = 0;

  return {
    async open(scope, { initial = {} } = {}) {
      const key = laneKey(scope);
      const start = startState(initial);
      const find = (): HeldLane => lanes.get(key) ?? emptyLane(start);
      const commitOn = (make: (lane: HeldLane) => Commit): Promise<{ readonly revision: number }> =>
        inTurn(key, async () => {
          const lane = find();
          const planned = planCommit(lane, make(lane), key);
          const { conversation, revision } = planned;
          if (save && conversation) await save(key, conversation.id, conversation.held.history.array);
          planned.make(() => places++);
          keep(scope, lane);
          return { revision };
        });
      const memory = memoryView({
        state: () => find().state,
        async commit(operations, why) {
          const turn = createId('set', random);
          await commitOn(({ state, revision, events }) => {
            const { logged } = logOperations(state, operations, { by: 'host', why, turn, atMs: clock.now() }, () => createId('op', random));
            return { revision, turn, operations: logged, events, batches: { add: [], done: [] } };
          });
        },
      });
      const lane: LaneStore = {
        memory,
        commit: (change) => commitOn(() => change),
        load: async (conversation, { original = false } = {}) => snapshotOf(find(), conversation, original),
        async *operations(after, { sessions = 'this', kind } = {}) {
          const chosen = sessions === 'this' ? [find()] : [...(owners.get(sessionsPrefix(scope)) ?? [])];
          yield* operationsOf(chosen, { after, kind });
        },
        journal: async (turn) => [...(find().journal.get(turn) ?? [])],
        erasures: () => erasures,
      };
      return {
        lane,
        begin(conversation, messages) {
          const held = find();
          if (held.conversations.has(conversation)) return;
          const append = freezeDeep(toStoredJson(messages)) as unknown as readonly Stored[];
          held.conversations.set(conversation, afterChange(undefined, { append, blocks: [], stableHash: '' }));
          keep(scope, held);
        },
      };
    },
    async forget(scope) {
      erasures += 1;
      const lane = lanes.get(laneKey(scope));
      if (lane === undefined) return;
      lanes.delete(laneKey(scope));
      const owner = sessionsPrefix(scope);
      owners.get(owner)?.delete(lane);
      if (owners.get(owner)?.size === 0) owners.delete(owner);
    },
  };
}
