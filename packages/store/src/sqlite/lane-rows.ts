import { type AgentState, type Operation, startState } from '@x/core';
import type { LaneHead, LaneNames } from '../commit-plan.js';
import { type LaneColumns, operationsIn, type ReadHead, readHead } from '../lane-head.js';
import type { Prepare } from './connection.js';

export interface FoundLane extends ReadHead {
  /** `undefined` while the lane has no row. */
  readonly id: number | undefined;
}

export function findLane(prepare: Prepare, key: string, start: AgentState = startState()): FoundLane {
  const row = prepare('SELECT id, revision, fence, initial, state, events, batches FROM lane WHERE key = ?').get(key) as
    | (LaneColumns & { readonly id: number })
    | undefined;
  return { id: row?.id, ...readHead(row, start, row ? operationsOf(prepare, row.id) : []) };
}

/** Writes a lane's new head. @returns The id of its row. */
export function writeLane(prepare: Prepare, { key, owner }: LaneNames, found: FoundLane, head: LaneHead): number {
  const { revision, fence } = head;
  const [state, events, batches] = [JSON.stringify(head.state), JSON.stringify(head.events), JSON.stringify(head.batches)];
  if (found.id !== undefined && found.head.revision > 0) {
    const update = prepare('UPDATE lane SET revision = ?, fence = ?, state = ?, events = ?, batches = ? WHERE id = ?');
    update.run(revision, fence, state, events, batches, found.id);
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
  for (const { body } of prepare('SELECT body FROM operation WHERE lane = ? ORDER BY seq').all(lane) as { body: string }[])
    yield* operationsIn(body);
}
