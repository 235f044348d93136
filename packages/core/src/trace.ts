import type { Json } from './json.js';

/** One line of what an agent did and why. Failed turns, tools and metaprompts are `ERROR`. */
export interface TraceEntry {
  readonly type: 'ERROR' | 'WARNING' | 'STATE_CHANGE' | 'DEBUG';
  readonly message: string;
  /** The turn it belongs to. */
  readonly turn: string;
  readonly atMs: number;
  readonly details?: Json | undefined;
}

/** How many trace entries an agent keeps; older ones leave. */
export const TRACE_ENTRIES = 500;

/** Appends to a trace that never grows past `limit`; returns a new list. */
export function appendTrace(trace: readonly TraceEntry[], entry: TraceEntry, limit = TRACE_ENTRIES): readonly TraceEntry[] {
  return [...trace.slice(Math.max(0, trace.length + 1 - limit)), entry];
}
