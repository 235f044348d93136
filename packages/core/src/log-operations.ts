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
  return writeDown(state, operations, (operation) => ({ id: newId(), operation, ...cause }));
}

/** Applies the same changes to another state, for a commit on a newer revision: `from` and `to` are computed anew. */
export function relogOperations(
  state: AgentState,
  entries: readonly Logged[],
): { readonly state: AgentState; readonly logged: readonly Logged[] } {
  return writeDown(state, entries, (entry) => entry);
}

function writeDown<T>(
  state: AgentState,
  items: readonly T[],
  entryOf: (item: T) => Omit<Logged, 'from' | 'to'>,
): { readonly state: AgentState; readonly logged: readonly Logged[] } {
  const logged: Logged[] = [];
  let next = state;
  for (const item of items) {
    const entry = entryOf(item);
    if ('imprint' in entry.operation) {
      for (const key of imprintsInTheWay(next, entry.operation.imprint)) {
        next = add({ ...entry, id: `${entry.id}:${hashText(key)}`, operation: { unset: imprintKey(key) } }, next, logged);
      }
    }
    next = add(entry, next, logged);
  }
  return { state: next, logged };
}

function add({ id, operation, by, why, turn, atMs }: Omit<Logged, 'from' | 'to'>, state: AgentState, logged: Logged[]): AgentState {
  const { state: next, from, to } = applyOperation(state, operation);
  logged.push({ id, operation, by, why, turn, atMs, from, to });
  return next;
}
