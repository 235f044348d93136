import type { ScheduleRow } from '@x/agentos';
import type { Finding } from './finding.js';

/** How late a beat may be before somebody should look; ours. */
const OVERDUE_MS = 3_600_000;

/** What became of a folder's heartbeat, from the row that says when it is due. */
export function beatFindings(row: ScheduleRow | undefined, nowMs: number): readonly Finding[] {
  if (!row) return [];
  const { failures, running, nextDueMs } = row;
  const at = (ms: number): string => new Date(ms).toISOString();
  const found: Finding[] = [];
  if (failures > 0)
    found.push({
      severity: 'warning',
      what: `${failures} beats failed in a row; the next is due ${at(nextDueMs)}.`,
      fix: 'Read the errors that `agentos run` prints; mostly it is the key or the endpoint.',
    });
  if (running && running.untilMs <= nowMs)
    found.push({
      severity: 'warning',
      what: `The beat of ${at(running.dueAtMs)} never ended: its process did.`,
      fix: 'Start `agentos run` again. That beat is not run twice, so look at what it had done.',
    });
  else if (!running && nextDueMs < nowMs - OVERDUE_MS)
    found.push({
      severity: 'warning',
      what: `A beat has been due since ${at(nextDueMs)}; nothing runs the heartbeat.`,
      fix: 'Start `agentos run`, with the `--db FILE` it had, if it had one.',
    });
  return found;
}
