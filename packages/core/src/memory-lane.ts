import { applyCopies } from './apply-operation.js';
import type { GMIEvent } from './events.js';
import { GrownList } from './grown-list.js';
import { type Json, toFrozenJson } from './json.js';
import type { Block } from './layout.js';
import type { Stored } from './messages.js';
import { isOfKind, type Logged, type Operation } from './operations.js';
import type { AgentState } from './state.js';
import { type Commit, FenceStaleError, type Parked, RevisionConflictError, type Snapshot } from './store.js';
import type { Batch } from './turn.js';
import { freezeNew } from './values.js';

export interface HeldConversation {
  readonly revision: number;
  readonly history: GrownList<Stored>;
  readonly original: GrownList<Stored>;
  readonly blocks: readonly Block[];
  readonly stableHash: string | undefined;
  readonly parked: Parked | undefined;
}

/** An operation, and its place among those of all lanes. */
export interface PlacedOperation {
  readonly place: number;
  readonly entry: Logged;
}

/** A lane as a store in memory holds it. */
export interface HeldLane {
  revision: number;
  fence: number;
  state: AgentState;
  events: readonly GMIEvent[];
  batches: readonly Batch[];
  readonly conversations: Map<string, HeldConversation>;
  readonly turns: Map<string, number>;
  readonly operations: PlacedOperation[];
  /** Those of traits, which each new session of the user asks for. */
  readonly traits: PlacedOperation[];
  readonly journal: Map<string, readonly Json[]>;
}

/** @param state - Frozen: it is handed out as it is. */
export function emptyLane(state: AgentState): HeldLane {
  return {
    revision: 0,
    fence: 0,
    state,
    events: [],
    batches: [],
    conversations: new Map(),
    turns: new Map(),
    operations: [],
    traits: [],
    journal: new Map(),
  };
}

/** A commit that was checked: nothing can fail any more. */
export interface PlannedCommit {
  /** Of the lane, once it is made. */
  readonly revision: number;
  /** The conversation that changes, as it will be. */
  readonly conversation?: { readonly id: string; readonly held: HeldConversation } | undefined;
  /** @param nextPlace - Gives each operation its place. */
  make(nextPlace: () => number): void;
}

/** @throws `revision_conflict`, `fence_stale`, `operation_refused`, `json_value_invalid` */
export function planCommit(lane: HeldLane, change: Commit, key: string): PlannedCommit {
  const before = lane.turns.get(change.turn);
  if (before !== undefined) return { revision: before, make: () => {} };
  if (change.fence !== undefined && change.fence < lane.fence)
    throw new FenceStaleError({ lane: key, fence: change.fence, seen: lane.fence });
  if (change.revision !== lane.revision) throw new RevisionConflictError({ lane: key, expected: change.revision, revision: lane.revision });
  const { turn, events, batches, conversation, journal } = copyOf(lane, change);
  const { state, operations } = copyOperations(lane.state, change.operations);
  const done = new Set(batches.done);
  const revision = lane.revision + 1;
  const held = conversation && afterChange(lane.conversations.get(conversation.id), conversation);
  return {
    revision,
    conversation: conversation && held && { id: conversation.id, held },
    make(nextPlace) {
      lane.revision = revision;
      lane.fence = Math.max(lane.fence, change.fence ?? 0);
      lane.state = state;
      lane.events = events;
      if (batches.add.length + done.size > 0) lane.batches = lane.batches.concat(batches.add).filter((batch) => !done.has(batch.id));
      for (const entry of operations) {
        const placed = { place: nextPlace(), entry };
        lane.operations.push(placed);
        if (isOfKind(entry, 'trait')) lane.traits.push(placed);
      }
      lane.turns.set(turn, revision);
      if (journal?.length) lane.journal.set(turn, journal);
      if (conversation && held) lane.conversations.set(conversation.id, held);
    },
  };
}

/**
 * Frozen copies of operations, and the state that they lead to. What stood before and after is told as it is here: it is
 * what the commit said, since that was made on this revision, and a value that is long stands once for operation, state
 * and log.
 */
function copyOperations(
  start: AgentState,
  given: readonly Logged[],
): { readonly state: AgentState; readonly operations: readonly Logged[] } {
  const copies = given.map(copyOfEntry);
  const operations: Logged[] = [];
  const state = applyCopies(
    start,
    copies.map(({ operation }) => operation),
    (from, to, index) => {
      const { id, operation, by, why, turn, atMs } = copies[index]!;
      operations.push(Object.freeze({ id, operation, by, why, turn, atMs, from, to }));
    },
  );
  return { state: freezeNew(state), operations };
}

type Entry = Omit<Logged, 'from' | 'to'>;

function copyOfEntry({ id, operation, by, why, turn, atMs }: Logged, index: number): Entry {
  const isUsual = typeof id === 'string' && typeof by === 'string' && typeof why === 'string' && typeof turn === 'string';
  if (isUsual && Number.isFinite(atMs)) {
    const kept = toFrozenJson(operation, `$.operations[${index}].operation`, true) as unknown as Operation;
    return { id, operation: kept, by, why, turn, atMs };
  }
  return toFrozenJson({ id, operation, by, why, turn, atMs }, `$.operations[${index}]`, true) as unknown as Entry;
}

/**
 * A frozen copy of a change but for its operations. Blocks that the lane holds already are not copied again: a long talk
 * has many of them.
 */
function copyOf(lane: HeldLane, { operations: _operations, ...change }: Commit): Omit<Commit, 'operations'> {
  const { conversation } = change;
  if (!conversation) return toFrozenJson(change, '$', true) as unknown as Omit<Commit, 'operations'>;
  const held = lane.conversations.get(conversation.id)?.blocks ?? [];
  let same = 0;
  while (same < held.length && isSameBlock(held[same], conversation.blocks[same])) same += 1;
  const rest = { ...change, conversation: { ...conversation, blocks: conversation.blocks.slice(same) } };
  const copy = toFrozenJson(rest, '$', true) as unknown as typeof rest;
  const added = copy.conversation?.blocks ?? [];
  const blocks = added.length === 0 && same === held.length ? held : Object.freeze([...held.slice(0, same), ...added]);
  return { ...copy, conversation: copy.conversation && { ...copy.conversation, blocks } };
}

function isSameBlock(a: Block | undefined, b: Block | undefined): boolean {
  return a !== undefined && b !== undefined && a.before === b.before && a.part === b.part && a.text === b.text;
}

/** A conversation after a change of it. */
export function afterChange(
  old: HeldConversation | undefined,
  { replace, append, blocks, stableHash, parked }: Omit<NonNullable<Commit['conversation']>, 'id'>,
): HeldConversation {
  const history = (replace ? GrownList.of(replace) : (old?.history ?? GrownList.of<Stored>([]))).add(append);
  // Until something is folded both are one list.
  const isWhole = replace === undefined && old?.original === old?.history;
  return {
    revision: (old?.revision ?? 0) + 1,
    history,
    original: isWhole ? history : (old?.original ?? GrownList.of<Stored>([])).add(append),
    blocks,
    stableHash,
    parked,
  };
}

export function snapshotOf(lane: HeldLane, id: string, original: boolean): Snapshot {
  const conversation = lane.conversations.get(id);
  return {
    revision: lane.revision,
    state: lane.state,
    events: lane.events,
    batches: lane.batches,
    transcriptRevision: conversation?.revision ?? 0,
    history: (original ? conversation?.original : conversation?.history)?.array ?? [],
    blocks: conversation?.blocks ?? [],
    stableHash: conversation?.stableHash,
    parked: conversation?.parked,
  };
}
