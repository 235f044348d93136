import {
  type AgentState,
  applyCopies,
  type Batch,
  type Commit,
  FenceStaleError,
  type GMIEvent,
  InvalidArgumentError,
  type LaneScope,
  laneKey,
  type OperationKind,
  RevisionConflictError,
  sessionsPrefix,
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

export function emptyHead(state: AgentState): LaneHead {
  return { revision: 0, fence: 0, state, events: [], batches: [] };
}

/**
 * The lane after a commit. The commit was checked by `createCommitCheck` and its turn is not known yet.
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
    state: applyCopies(
      head.state,
      operations.map(({ operation }) => operation),
    ),
    events,
    batches: [...head.batches, ...batches.add].filter(({ id }) => !done.has(id)),
  };
}

/** What is thrown when a log shall be read on from an operation that is not in it. */
export function unknownOperation(): InvalidArgumentError {
  return new InvalidArgumentError('after: no operation of this lane has this id. Leave it out to read from the first.');
}

/**
 * What an SQL statement asks of operations of a kind: that their record holds the kind's name. Others may hold it too, so
 * what is found has to be looked at. Traits, which each new session asks for, have an index on this very condition.
 */
export function ofKind(kind: OperationKind | undefined): string {
  return kind === undefined ? '' : `AND o.body LIKE '%"${KINDS[kind]}":%'`;
}

// A statement is made of these texts only, whatever a caller without types gives.
const KINDS: { readonly [kind in OperationKind]: string } = { set: 'set', put: 'put', imprint: 'imprint', trait: 'trait', unset: 'unset' };
