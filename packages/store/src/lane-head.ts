import { type AgentState, type Batch, type GMIEvent, INITIAL_STATE, type Operation } from '@x/core';
import { emptyHead, type LaneHead } from './commit-plan.js';
import { readRecord, readState, replayState } from './read-records.js';

/** A lane as it stands in a table; `initial`, `state` are `null` until its first commit. */
export interface LaneColumns {
  readonly revision: number;
  readonly fence: number;
  readonly initial: string | null;
  readonly state: string | null;
  readonly events: string;
  readonly batches: string;
}

export interface ReadHead {
  readonly head: LaneHead;
  /** Columns that could not be read; the next commit writes over them, so their bytes are kept aside then. */
  readonly damaged: readonly { readonly column: 'state' | 'events' | 'batches'; readonly body: string }[];
}

/**
 * Reads a lane's row.
 *
 * @param start - The state before the first commit.
 * @param operations - The lane's log; asked for only when the state cannot be read and is made again from it.
 */
export function readHead(row: LaneColumns | undefined, start: AgentState, operations: Iterable<Operation>): ReadHead {
  if (!row || row.revision === 0) return { head: { ...emptyHead(start), fence: row?.fence ?? 0 }, damaged: [] };
  const damaged: ReadHead['damaged'][number][] = [];
  const list = <T>(column: 'events' | 'batches'): readonly T[] => {
    const value = readRecord(row[column]);
    if (Array.isArray(value)) return value as readonly T[];
    damaged.push({ column, body: row[column] });
    return [];
  };
  let state = readState(readRecord(row.state));
  if (!state) {
    damaged.push({ column: 'state', body: row.state ?? '' });
    state = replayState(readState(readRecord(row.initial)) ?? INITIAL_STATE, operations);
  }
  const { revision, fence } = row;
  return { head: { revision, fence, state, events: list<GMIEvent>('events'), batches: list<Batch>('batches') }, damaged };
}

/** The operation of a log's record; nothing for one that cannot be read. */
export function operationsIn(body: string): readonly Operation[] {
  const logged = readRecord(body) as { readonly operation?: Operation } | undefined;
  return logged?.operation ? [logged.operation] : [];
}
