import { realpathSync } from 'node:fs';
import { type IAgentStore, type LaneStore, laneKey, type SchedulePort } from '@x/agentos';
import { openReports } from '../inspector/kept-reports.js';
import { createSessionIndex, type SessionRow, scopeOf } from '../inspector/session-index.js';
import { beatFindings } from './beat-findings.js';
import { breakFindings } from './break-findings.js';
import type { Finding } from './finding.js';

export interface SessionsOptions {
  readonly store: IAgentStore & { readonly schedule: SchedulePort };
  readonly nowMs: number;
}

/** What keeps a folder's sessions and beats from going on, and what makes them dear. */
export async function sessionFindings(dir: string, { store, nowMs }: SessionsOptions): Promise<readonly Finding[]> {
  const scope = { directory: realpathSync(dir) };
  const key = laneKey(scope);
  const lane = await store.open(scope);
  const rows = (await createSessionIndex(store).rows()).filter((row) => laneKey(scopeOf(row)) === key);
  const schedule = await store.schedule.get(key);
  const found = [
    ...(await parkedFindings(lane, rows, schedule && `${key}@${schedule.lastDueMs}`)),
    ...(await batchFindings(lane)),
    ...beatFindings(schedule, nowMs),
    ...breakFindings(await Promise.all(rows.map(async (row) => ({ id: row.id, reports: await (await openReports(store, row)).all() })))),
  ];
  if (found.length > 0) return found;
  return [{ severity: 'ok', what: `${rows.length} sessions of the folder: none is blocked, and no prefix broke without need.` }];
}

async function parkedFindings(lane: LaneStore, rows: readonly SessionRow[], beat: string | undefined): Promise<readonly Finding[]> {
  const talks = [
    ...rows.map(({ id }) => ({ id, name: `Session ${id}` })),
    ...(beat === undefined ? [] : [{ id: beat, name: 'The last beat' }]),
  ];
  const found: Finding[] = [];
  for (const { id, name } of talks) {
    const { parked } = await lane.load(id);
    if (!parked) continue;
    const { kind, prompt } = parked.request;
    found.push({
      severity: 'error',
      what: `${name} waits for an answer (${kind}: ${prompt}) since turn ${parked.turn}, and takes no other message.`,
      fix: 'Answer it with `session.resume` in the program that has its tool. Drop it with `session.cancel`, or a session on the page of `agentos dev DIR --db FILE`.',
    });
  }
  return found;
}

async function batchFindings(lane: LaneStore): Promise<readonly Finding[]> {
  const { batches } = await lane.load('main');
  if (batches.length === 0) return [];
  return [
    {
      severity: 'warning',
      what: `${batches.length} background jobs of ${[...new Set(batches.map(({ by }) => by))].join(', ')} are not done.`,
      fix: 'Open a session of the folder (`agentos dev DIR --db FILE`): they run then. If they stay, what they belong to was taken out of persona.yaml.',
    },
  ];
}
