import {
  type AgentState,
  applyOperation,
  type Batch,
  type Block,
  type Commit,
  FenceStaleError,
  type GMIEvent,
  INITIAL_STATE,
  type Json,
  type LaneScope,
  laneKey,
  RevisionConflictError,
  sessionsPrefix,
  toJson,
} from '@x/core';

/** What a lane holds apart from its conversations. */
export interface LaneHead {
  /** 0 before the first commit. */
  readonly revision: number;
  readonly fence: number;
  readonly state: AgentState;
  readonly events: readonly GMIEvent[];
  readonly batches: readonly Batch[];
}

/** The names of a lane in a table. */
export interface LaneNames {
  readonly key: string;
  /** Equal for the lanes whose operations are read together. */
  readonly owner: string;
}

export function laneNames(scope: LaneScope): LaneNames {
  return { key: laneKey(scope), owner: sessionsPrefix(scope) };
}

export function emptyHead(initial: Partial<AgentState> = {}): LaneHead {
  return { revision: 0, fence: 0, state: { ...INITIAL_STATE, ...initial }, events: [], batches: [] };
}

/**
 * A copy of a commit in which every value is one that JSON keeps; fields that are `undefined` are left out.
 *
 * @throws `json_value_invalid`
 */
export function checkedCommit(change: Commit): Commit {
  if (!change.conversation) return checkedJson(change) as unknown as Commit;
  // The notes are the long part, most of it known from the turn before, and plain text throughout: no need to walk it.
  const { blocks, ...conversation } = change.conversation;
  const notes = blocks.every(isPlainBlock) ? blocks.map(({ before, part, text }) => ({ before, part, text })) : checkedJson(blocks);
  const rest = checkedJson({ ...change, conversation }) as unknown as Commit & { readonly conversation: typeof conversation };
  return { ...rest, conversation: { ...rest.conversation, blocks: notes as readonly Block[] } };
}

function isPlainBlock({ before, part, text }: Block): boolean {
  return typeof before === 'string' && typeof part === 'string' && typeof text === 'string';
}

/** A copy with fields that are `undefined` left out. @throws `json_value_invalid` */
export function checkedJson(value: unknown): Json {
  return toJson(withoutUndefined(value));
}

/**
 * The lane after a commit. The commit was checked by {@link checkedCommit} and its turn is not known yet.
 *
 * @throws `revision_conflict`, `fence_stale`, `operation_refused`
 */
export function nextHead(head: LaneHead, change: Commit, lane: string): LaneHead {
  const { fence = 0, revision, operations, events, batches } = change;
  if (change.fence !== undefined && fence < head.fence) throw new FenceStaleError({ lane, fence, seen: head.fence });
  if (revision !== head.revision) throw new RevisionConflictError({ lane, expected: revision, revision: head.revision });
  const done = new Set(batches.done);
  return {
    revision: head.revision + 1,
    fence: Math.max(head.fence, fence),
    state: operations.reduce((state, { operation }) => applyOperation(state, operation).state, head.state),
    events,
    batches: [...head.batches, ...batches.add].filter(({ id }) => !done.has(id)),
  };
}

// Deeper than toJson goes, and so never caught in a cycle: what is left is for toJson to refuse.
const DEEPEST = 201;

function withoutUndefined(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => withoutUndefined(item, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) if (item !== undefined) define(kept, name, withoutUndefined(item, depth + 1));
  return kept;
}

// Plain assignment of `__proto__` would lose the key before it is refused.
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  else target[name] = value;
}
