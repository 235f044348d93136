import type { ScheduleRow } from './schedule.js';

/** A clock that was set back by no more than this, or by one slot, waits until it has caught up, and runs no slot twice. The figure is ours. */
export const TOLERATED_MS = 3_600_000;

/**
 * The row without the times that a clock wrote which ran far ahead and was set right since: nobody waits a year for it.
 *
 * @param nextSlotMs - Gives the first slot from now on.
 */
export function withoutFuture(row: ScheduleRow, nowMs: number, nextSlotMs: () => number): ScheduleRow {
  const isAhead = (atMs: number | undefined): boolean => atMs !== undefined && atMs > nowMs + TOLERATED_MS && atMs > nextSlotMs();
  // A slot is claimed when it is due or later, so a claim on one to come is of that clock as well.
  const { lastDueMs, running } = row;
  if (!isAhead(lastDueMs) && !isAhead(running?.dueAtMs)) return row;
  return {
    ...row,
    lastDueMs: isAhead(lastDueMs) ? undefined : lastDueMs,
    running: running !== undefined && isAhead(running.dueAtMs) ? undefined : running,
  };
}
