import type { Json } from './json.js';

/** A change of an agent's state. Nothing changes state but these, and all of them are logged. */
export type Operation =
  | { readonly set: 'mood' | 'skill' | 'complexity' | 'language' | 'domain'; readonly to: string }
  /** Writes a key of the lane: a counter, a flag, a cooldown, or a host's own. */
  | { readonly put: string; readonly value: Json }
  | { readonly imprint: string; readonly value: Json }
  /** Adds to a trait; the result is held within 0 and 1. */
  | { readonly trait: string; readonly delta: number }
  /** Removes a key, `imprint:<key>`, `language` or `domain`. */
  | { readonly unset: string };

/** What an operation does: the name of its first field. */
export type OperationKind = 'set' | 'put' | 'imprint' | 'trait' | 'unset';

/** An operation that was committed. */
export interface Logged {
  readonly id: string;
  readonly operation: Operation;
  /** The name of the hook or host that did it. */
  readonly by: string;
  readonly why: string;
  /** The value before; `null` when there was none. */
  readonly from: Json;
  /** The value after; `null` when there is none. */
  readonly to: Json;
  readonly turn: string;
  readonly atMs: number;
}

/** Whether a committed operation is one of this kind. */
export function isOfKind({ operation }: Logged, kind: OperationKind): boolean {
  return Object.hasOwn(operation, kind);
}
