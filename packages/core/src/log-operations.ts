import { applyOperation, isPut, putInto } from './apply-operation.js';
import { hashText } from './hash-text.js';
import { imprintsInTheWay } from './imprints.js';
import type { Json } from './json.js';
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
  const next = new LoggedState(state);
  for (const operation of operations) next.apply(newId(), operation, cause);
  return { state: next.state, logged: next.log };
}

/**
 * A state that is changed by one operation after the other, and the log of them. What many puts change is copied once, not for each of
 * them, until somebody reads the state: that one stays as it was read.
 */
export class LoggedState {
  readonly log: Logged[] = [];
  #state: AgentState;
  /** The values of the state while nobody else has them. */
  #values: Record<string, Json> | undefined;

  constructor(state: AgentState) {
    this.#state = state;
  }

  get state(): AgentState {
    this.#values = undefined;
    return this.#state;
  }

  /**
   * Applies an operation and puts its entries at the end of the log, as {@link logOperations} makes them.
   *
   * @throws As that does; then state and log are as they were.
   */
  apply(id: string, operation: Operation, cause: Cause): void {
    if (!isPut(operation)) {
      this.#state = addTo(this.log, this.state, id, operation, cause);
      return;
    }
    const { by, why, turn, atMs } = cause;
    const values = this.#values ?? { ...this.#state.values };
    const { from, to } = putInto(values, operation);
    if (values !== this.#values) {
      this.#values = values;
      this.#state = { ...this.#state, values };
    }
    // Frozen whole, with the copy that the state has: then a store need not copy it again.
    const said = Object.freeze({ put: operation.put, value: to });
    this.log.push(Object.freeze({ id, operation: said, by, why, turn, atMs, from, to }));
  }
}

function addTo(log: Logged[], state: AgentState, id: string, operation: Operation, cause: Cause): AgentState {
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
  const next = new LoggedState(state);
  for (const entry of entries) next.apply(entry.id, entry.operation, entry);
  return { state: next.state, logged: next.log };
}

function add(log: Logged[], state: AgentState, id: string, operation: Operation, { by, why, turn, atMs }: Cause): AgentState {
  const { state: next, from, to } = applyOperation(state, operation);
  log.push({ id, operation, by, why, turn, atMs, from, to });
  return next;
}
