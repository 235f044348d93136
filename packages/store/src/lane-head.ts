import { type AgentState, type Batch, type GMIEvent, INITIAL_STATE, type Json, type Operation } from '@x/core';
import { emptyHead, type LaneHead } from './commit-plan.js';
import { isBatch, isEvent, readLogged } from './read-parts.js';
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
  const list = <T>(column: 'events' | 'batches', isOne: (value: Json) => boolean): readonly T[] => {
    const value = readRecord(row[column]);
    const good = Array.isArray(value) ? value.filter(isOne) : [];
    if (!Array.isArray(value) || good.length < value.length) damaged.push({ column, body: row[column] });
    return good as unknown as readonly T[];
  };
  let state = readState(readRecord(row.state));
  if (!state) {
    damaged.push({ column: 'state', body: row.state ?? '' });
    state = replayState(readState(readRecord(row.initial)) ?? INITIAL_STATE, operations);
  }
  const { revision, fence } = row;
  const [events, batches] = [list<GMIEvent>('events', isEvent), list<Batch>('batches', isBatch)];
  return { head: { revision, fence, state, events, batches }, damaged };
}

/** The operation of a log's record; nothing for one that cannot be read. */
export function operationsIn(body: string): readonly Operation[] {
  const logged = readLogged(body);
  return logged ? [logged.operation] : [];
}
