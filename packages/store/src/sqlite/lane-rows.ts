import { type AgentState, type Operation, startState } from '@x/core';
import type { LaneHead, LaneNames } from '../commit-plan.js';
import { type LaneColumns, operationsIn, type ReadHead, readHead } from '../lane-head.js';
import type { Prepare } from './connection.js';
import type { LongTexts, StateText } from './long-texts.js';

export interface FoundLane extends ReadHead {
  /** `undefined` while the lane has no row. */
  readonly id: number | undefined;
}

/** A head and the texts that it was written as. */
export interface WrittenHead {
  readonly head: LaneHead;
  readonly texts: { readonly state: StateText; readonly events: string; readonly batches: string };
}

/** @param written - What this process wrote last; while it is still there it is not read again. */
export function findLane(prepare: Prepare, key: string, start: AgentState = startState(), written?: WrittenHead | undefined): FoundLane {
  const still = written && idWhereStill(prepare, key, written);
  if (still !== undefined) return { id: still, head: written!.head, damaged: [] };
  const row = prepare('SELECT id, revision, fence, initial, state, events, batches FROM lane WHERE key = ?').get(key) as
    | (LaneColumns & { readonly id: number })
    | undefined;
  return { id: row?.id, ...readHead(row, start, row ? operationsOf(prepare, row.id) : []) };
}

// SQLite compares them: texts that it hands out are made anew each time.
function idWhereStill(prepare: Prepare, key: string, { head: { revision, fence }, texts }: WrittenHead): number | undefined {
  const sql = 'SELECT id FROM lane WHERE key = ? AND revision = ? AND fence = ? AND state = ? || ? || ? AND events = ? AND batches = ?';
  const { state, events, batches } = texts;
  return (prepare(sql).get(key, revision, fence, ...state, events, batches) as { readonly id: number } | undefined)?.id;
}

export const textsOf = ({ state, events, batches }: LaneHead, texts: LongTexts): WrittenHead['texts'] => ({
  state: texts.ofState(state),
  events: JSON.stringify(events),
  batches: JSON.stringify(batches),
});

/** Writes a lane's new head. @returns The id of its row. */
export function writeLane(prepare: Prepare, { key, owner }: LaneNames, found: FoundLane, { head, texts }: WrittenHead): number {
  const { revision, fence } = head;
  const { state, events, batches } = texts;
  if (found.id !== undefined && found.head.revision > 0) {
    const update = prepare('UPDATE lane SET revision = ?, fence = ?, state = ? || ? || ?, events = ?, batches = ? WHERE id = ?');
    update.run(revision, fence, ...state, events, batches, found.id);
    return found.id;
  }
  const { lastInsertRowid } = prepare(
    `INSERT INTO lane (id, key, owner, revision, fence, initial, state, events, batches) VALUES (?, ?, ?, ?, ?, ?, ? || ? || ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, fence = excluded.fence, initial = excluded.initial,
       state = excluded.state, events = excluded.events, batches = excluded.batches`,
  ).run(found.id ?? null, key, owner, revision, fence, JSON.stringify(found.head.state), ...state, events, batches);
  return found.id ?? Number(lastInsertRowid);
}

function* operationsOf(prepare: Prepare, lane: number): Iterable<Operation> {
  for (const { body } of prepare('SELECT body FROM operation WHERE lane = ? ORDER BY seq').all(lane) as { body: string }[])
    yield* operationsIn(body);
}
