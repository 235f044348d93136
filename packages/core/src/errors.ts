const BRAND = Symbol.for('@x/core/AgentosError');

/**
 * The base of every error that these packages throw on purpose.
 *
 * Branch on `code`, which is stable; never on the message. `retryable` is true when the same call may work later,
 * unchanged. Messages say what failed, where, and what to do next; they hold no user text and no keys.
 */
export abstract class AgentosError extends Error {
  abstract readonly code: string;
  abstract readonly retryable: boolean;
  readonly [BRAND] = true;
}

/** Recognises an {@link AgentosError}, also one made by another installed copy of this package. */
export function isAgentosError(value: unknown): value is AgentosError {
  return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true;
}

/** An argument is outside what the function accepts; the message names it. */
export class InvalidArgumentError extends AgentosError {
  override readonly name = 'InvalidArgumentError';
  readonly code = 'invalid_argument';
  readonly retryable = false;
}
