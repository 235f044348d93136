import { applyOperation } from './apply-operation.js';
import { type Clock, createId, type Random, systemClock } from './clock.js';
import type { GMIEvent } from './events.js';
import { type Json, toJson } from './json.js';
import type { Block } from './layout.js';
import { logOperations } from './log-operations.js';
import { memoryView } from './memory-view.js';
import type { Stored } from './messages.js';
import type { Logged } from './operations.js';
import { type AgentState, INITIAL_STATE } from './state.js';
import {
  type Commit,
  FenceStaleError,
  type IAgentStore,
  type LaneScope,
  type LaneStore,
  laneKey,
  type Parked,
  RevisionConflictError,
  type Snapshot,
  sessionsPrefix,
} from './store.js';
import type { Batch } from './turn.js';

interface Conversation {
  revision: number;
  history: readonly Stored[];
  original: readonly Stored[];
  blocks: readonly Block[];
  stableHash: string | undefined;
  parked: Parked | undefined;
}

interface Lane {
  revision: number;
  fence: number;
  state: AgentState;
  events: readonly GMIEvent[];
  batches: readonly Batch[];
  readonly conversations: Map<string, Conversation>;
  readonly turns: Map<string, number>;
  readonly operations: Logged[];
  readonly journal: Map<string, Json[]>;
}

export interface MemoryStoreOptions {
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** A store in this process's memory, which also can erase a lane. */
export type MemoryStore = IAgentStore & { forget(scope: LaneScope): Promise<void> };

/**
 * Makes a store that lives as long as the process. Everything is copied in; what it hands out is frozen.
 */
export function createMemoryStore({ clock = systemClock, random = Math.random }: MemoryStoreOptions = {}): MemoryStore {
  const lanes = new Map<string, Lane>();
  return {
    async open(scope, { initial = {} } = {}) {
      const key = laneKey(scope);
      const find = (): Lane => lanes.get(key) ?? emptyLane({ ...INITIAL_STATE, ...initial });
      const commit = async (change: Commit): Promise<{ readonly revision: number }> => {
        const lane = find();
        const revision = apply(lane, change, key);
        lanes.set(key, lane);
        return { revision };
      };
      const memory = memoryView({
        state: () => find().state,
        async commit(operations, why) {
          const lane = find();
          const turn = createId('set', random);
          const { logged } = logOperations(lane.state, operations, { by: 'host', why, turn, atMs: clock.now() }, () =>
            createId('op', random),
          );
          await commit({ revision: lane.revision, turn, operations: logged, events: lane.events, batches: { add: [], done: [] } });
        },
      });
      const store: LaneStore = {
        memory,
        commit,
        load: async (conversation, { original = false } = {}) => snapshot(find(), conversation, original),
        async *operations(after, { sessions = 'this' } = {}) {
          // A directory is one lane: others only begin like it.
          const prefix = sessionsPrefix(scope);
          const alone = sessions === 'this' || 'directory' in scope;
          const chosen = alone ? [find()] : [...lanes].filter(([name]) => name.startsWith(prefix)).map(([, lane]) => lane);
          const all = chosen.flatMap((lane) => lane.operations).sort((a, b) => a.atMs - b.atMs);
          yield* all.slice(after === undefined ? 0 : all.findIndex((entry) => entry.id === after) + 1);
        },
        journal: async (turn) => [...(find().journal.get(turn) ?? [])],
      };
      return store;
    },
    async forget(scope) {
      lanes.delete(laneKey(scope));
    },
  };
}

function emptyLane(state: AgentState): Lane {
  return {
    revision: 0,
    fence: 0,
    state,
    events: [],
    batches: [],
    conversations: new Map(),
    turns: new Map(),
    operations: [],
    journal: new Map(),
  };
}

function apply(lane: Lane, change: Commit, key: string): number {
  const before = lane.turns.get(change.turn);
  if (before !== undefined) return before;
  if (change.fence !== undefined && change.fence < lane.fence)
    throw new FenceStaleError({ lane: key, fence: change.fence, seen: lane.fence });
  if (change.revision !== lane.revision) throw new RevisionConflictError({ lane: key, expected: change.revision, revision: lane.revision });
  // All that can fail is done before the first assignment: the commit is whole or absent.
  const { operations, events, batches, conversation, journal } = frozen(toJson(strip(change))) as unknown as Commit;
  const state = operations.reduce((current, entry) => applyOperation(current, entry.operation).state, lane.state);
  const done = new Set(batches.done);
  lane.revision += 1;
  lane.fence = Math.max(lane.fence, change.fence ?? 0);
  lane.state = frozen(state);
  lane.events = events;
  lane.batches = [...lane.batches, ...batches.add].filter((batch) => !done.has(batch.id));
  lane.operations.push(...operations);
  lane.turns.set(change.turn, lane.revision);
  if (journal?.length) lane.journal.set(change.turn, [...journal]);
  if (conversation) {
    const old = lane.conversations.get(conversation.id);
    lane.conversations.set(conversation.id, {
      revision: (old?.revision ?? 0) + 1,
      history: [...(conversation.replace ?? old?.history ?? []), ...conversation.append],
      original: [...(old?.original ?? []), ...conversation.append],
      blocks: conversation.blocks,
      stableHash: conversation.stableHash,
      parked: conversation.parked,
    });
  }
  return lane.revision;
}

function snapshot(lane: Lane, id: string, original: boolean): Snapshot {
  const conversation = lane.conversations.get(id);
  return {
    revision: lane.revision,
    state: lane.state,
    events: lane.events,
    batches: lane.batches,
    transcriptRevision: conversation?.revision ?? 0,
    history: (original ? conversation?.original : conversation?.history) ?? [],
    blocks: conversation?.blocks ?? [],
    stableHash: conversation?.stableHash,
    parked: conversation?.parked,
  };
}

// Optional fields may be written as undefined; JSON has no such value, so they are left out first. What is nested deeper
// than JSON values may be, as in a cycle, is left for toJson to refuse.
function strip(value: unknown, depth = 0): unknown {
  if (depth > 201) return value;
  if (Array.isArray(value)) return value.map((item) => strip(item, depth + 1));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => [name, strip(item, depth + 1)]),
  );
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) frozen(item);
  }
  return value;
}
