import { type AgentState, type Batch, type GMIEvent, INITIAL_STATE, type Operation } from '@x/core';
import { emptyHead, type LaneHead, type LaneNames } from '../commit-plan.js';
import { readRecord, readState, replayState } from '../read-records.js';
import type { Prepare } from './connection.js';

interface LaneRow {
  readonly id: number;
  readonly revision: number;
  readonly fence: number;
  readonly initial: string | null;
  readonly state: string | null;
  readonly events: string;
  readonly batches: string;
}

export interface FoundLane {
  /** `undefined` while the lane has no row. */
  readonly id: number | undefined;
  readonly head: LaneHead;
  /** What was wrong with the row, for a later write and for the listener. */
  readonly damaged: readonly { readonly column: 'state' | 'events' | 'batches'; readonly body: string }[];
}

export function findLane(prepare: Prepare, key: string, initial?: Partial<AgentState>): FoundLane {
  const row = prepare('SELECT id, revision, fence, initial, state, events, batches FROM lane WHERE key = ?').get(key) as
    | LaneRow
    | undefined;
  if (!row) return { id: undefined, head: emptyHead(initial), damaged: [] };
  if (row.revision === 0) return { id: row.id, head: { ...emptyHead(initial), fence: row.fence }, damaged: [] };
  const damaged: FoundLane['damaged'][number][] = [];
  const list = <T>(column: 'events' | 'batches'): readonly T[] => {
    const value = readRecord(row[column]);
    if (Array.isArray(value)) return value as readonly T[];
    damaged.push({ column, body: row[column] });
    return [];
  };
  let state = readState(readRecord(row.state));
  if (!state) {
    damaged.push({ column: 'state', body: row.state ?? '' });
    const began = readState(readRecord(row.initial)) ?? INITIAL_STATE;
    state = replayState(began, operationsOf(prepare, row.id));
  }
  const head = { revision: row.revision, fence: row.fence, state, events: list<GMIEvent>('events'), batches: list<Batch>('batches') };
  return { id: row.id, head, damaged };
}

/** Writes a lane's new head. @returns The id of its row. */
export function writeLane(prepare: Prepare, { key, owner }: LaneNames, found: FoundLane, head: LaneHead): number {
  const { revision, fence } = head;
  const [state, events, batches] = [JSON.stringify(head.state), JSON.stringify(head.events), JSON.stringify(head.batches)];
  if (found.id !== undefined && found.head.revision > 0) {
    prepare('UPDATE lane SET revision = ?, fence = ?, state = ?, events = ?, batches = ? WHERE id = ?').run(
      revision,
      fence,
      state,
      events,
      batches,
      found.id,
    );
    return found.id;
  }
  const { lastInsertRowid } = prepare(
    `INSERT INTO lane (id, key, owner, revision, fence, initial, state, events, batches) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, fence = excluded.fence, initial = excluded.initial,
       state = excluded.state, events = excluded.events, batches = excluded.batches`,
  ).run(found.id ?? null, key, owner, revision, fence, JSON.stringify(found.head.state), state, events, batches);
  return found.id ?? Number(lastInsertRowid);
}

function* operationsOf(prepare: Prepare, lane: number): Iterable<Operation> {
  for (const { body } of prepare('SELECT body FROM operation WHERE lane = ? ORDER BY seq').all(lane) as { body: string }[]) {
    const logged = readRecord(body) as { readonly operation?: Operation } | undefined;
    if (logged?.operation) yield logged.operation;
  }
}
