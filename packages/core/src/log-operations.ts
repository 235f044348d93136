import { applyOperation } from './apply-operation.js';
import { hashText } from './hash-text.js';
import { imprintsInTheWay } from './imprints.js';
import type { Logged, Operation } from './operations.js';
import { imprintKey } from './reserved-keys.js';
import type { AgentState } from './state.js';

/** What a logged operation says beside its values. */
export type Cause = Pick<Logged, 'by' | 'why' | 'turn' | 'atMs'>;

/**
 * Applies operations in order and writes down the value before and after each. An imprint that has to leave so that
 * another finds room is an entry of its own before that one, so that it can be taken back.
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
  for (const operation of operations) next = logOperation(logged, next, newId(), operation, cause);
  return { state: next, logged };
}

/**
 * Like {@link logOperations} for one operation, and puts its entries at the end of a log.
 *
 * @throws As that does; then the log is as it was.
 */
export function logOperation(log: Logged[], state: AgentState, id: string, operation: Operation, cause: Cause): AgentState {
  if (!('imprint' in Object(operation))) return add(log, state, id, operation, cause);
  const logged: Logged[] = [];
  let next = state;
  for (const key of imprintsInTheWay(next, (operation as { readonly imprint: string }).imprint)) {
    next = add(logged, next, `${id}:${hashText(key)}`, { unset: imprintKey(key) }, cause);
  }
  next = add(logged, next, id, operation, cause);
  log.push(...logged);
  return next;
}

/** Applies the same changes to another state, for a commit on a newer revision: `from` and `to` are computed anew. */
export function relogOperations(
  state: AgentState,
  entries: readonly Logged[],
): { readonly state: AgentState; readonly logged: readonly Logged[] } {
  const logged: Logged[] = [];
  let next = state;
  for (const entry of entries) next = logOperation(logged, next, entry.id, entry.operation, entry);
  return { state: next, logged };
}

function add(log: Logged[], state: AgentState, id: string, operation: Operation, { by, why, turn, atMs }: Cause): AgentState {
  const { state: next, from, to } = applyOperation(state, operation);
  log.push({ id, operation, by, why, turn, atMs, from, to });
  return next;
}
