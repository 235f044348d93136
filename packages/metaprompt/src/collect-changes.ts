import { type AgentState, type Change, createId, type Logged, logOperations, type Random, type TraceEntry } from '@x/core';

/** Operations gathered on a state: they show in `state()` at once, and wait in `operations` for a commit. */
export interface CollectedChanges {
  readonly operations: Logged[];
  readonly state: () => AgentState;
  readonly change: Change;
}

/** Starts gathering on a state; everything gathered carries the same cause. */
export function collectChanges(
  start: AgentState,
  cause: Pick<Logged, 'by' | 'turn' | 'atMs'>,
  { random, trace }: { readonly random: Random; readonly trace: (entry: Pick<TraceEntry, 'type' | 'message' | 'details'>) => void },
): CollectedChanges {
  let state = start;
  const operations: Logged[] = [];
  return {
    operations,
    state: () => state,
    change: {
      trace,
      apply(operation, why) {
        const { state: next, logged } = logOperations(state, [operation], { ...cause, why }, () => createId('op', random));
        state = next;
        operations.push(...logged);
      },
    },
  };
}
