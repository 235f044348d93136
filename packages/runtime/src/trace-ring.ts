import { TRACE_ENTRIES, type TraceEntry } from '@x/core';

/** The last entries of a trace, oldest first. */
export interface TraceRing {
  add(entry: TraceEntry): void;
  readonly entries: readonly TraceEntry[];
  /** The same, with older ones before them, as the list that is added to: for who reads it at once. */
  readonly growing: readonly TraceEntry[];
}

export function createTraceRing(limit = TRACE_ENTRIES): TraceRing {
  let kept: TraceEntry[] = [];
  return {
    add(entry) {
      kept.push(entry);
      if (kept.length >= limit * 2) kept = kept.slice(-limit);
    },
    get entries() {
      return kept.slice(-limit);
    },
    get growing() {
      return kept;
    },
  };
}
