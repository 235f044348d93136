import type { TraceEntry } from '@x/core';
import { ERROR_TURNS } from './affect-events.js';
import { SEED_ERRORS } from './seed-events.js';

/**
 * Counts ERROR entries that are recent: of the two newest turns in the trace, or under the seed's table of the last ten
 * entries.
 */
export function countErrors(trace: readonly Pick<TraceEntry, 'type' | 'turn'>[], seedTable: boolean): number {
  if (seedTable) return trace.slice(-SEED_ERRORS.entries).filter((entry) => entry.type === 'ERROR').length;
  const turns = new Set<string>();
  let errors = 0;
  for (let index = trace.length - 1; index >= 0; index -= 1) {
    const entry = trace[index];
    if (entry === undefined) continue;
    turns.add(entry.turn);
    if (turns.size > ERROR_TURNS) break;
    if (entry.type === 'ERROR') errors += 1;
  }
  return errors;
}
