import { applyOperation } from './apply-operation.js';
import type { Logged, Operation } from './operations.js';
import type { AgentState } from './state.js';

/** What a logged operation says beside its values. */
export type Cause = Pick<Logged, 'by' | 'why' | 'turn' | 'atMs'>;

/**
 * Applies operations in order and writes down the value before and after each.
 *
 * @param newId - Makes the id of each entry.
 * @returns The state after all of them, and the entries for a commit.
 * @throws `operation_refused`, `json_value_invalid`; then nothing is applied.
 */
export function logOperations(
  state: AgentState,
  operations: readonly (Operation & { readonly cause?: never })[],
  cause: Cause,
  newId: () => string,
): { readonly state: AgentState; readonly logged: readonly Logged[] } {
  const logged: Logged[] = [];
  let next = state;
  for (const operation of operations) {
    const applied = applyOperation(next, operation);
    next = applied.state;
    logged.push({ id: newId(), operation, ...cause, from: applied.from, to: applied.to });
  }
  return { state: next, logged };
}

/** Applies the same changes to another state, for a commit on a newer revision: `from` and `to` are computed anew. */
export function relogOperations(
  state: AgentState,
  entries: readonly Logged[],
): { readonly state: AgentState; readonly logged: readonly Logged[] } {
  const logged: Logged[] = [];
  let next = state;
  for (const entry of entries) {
    const applied = applyOperation(next, entry.operation);
    next = applied.state;
    logged.push({ ...entry, from: applied.from, to: applied.to });
  }
  return { state: next, logged };
}
