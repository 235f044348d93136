import { AgentosError, isAgentosError } from '@x/core';
import type { FailureCode } from './events.js';

/** A step of a run that did not come off: the reason is the code that the host is told, the cause is what was thrown. */
export class CompactionFailedError extends AgentosError {
  override readonly name = 'CompactionFailedError';
  readonly code = 'compaction_failed';
  readonly retryable = true;
  readonly reason: FailureCode;
  constructor(reason: FailureCode, cause?: unknown) {
    super(`The conversation was not compacted (${reason}) and is unchanged. See the reason and the cause.`, { cause });
    this.reason = reason;
  }
}

/** Under which code a run failed, and what was thrown; once the turn is aborted, that is why. */
export function failureOf(thrown: unknown, signal: AbortSignal | undefined): { readonly code: FailureCode; readonly error: unknown } {
  if (signal?.aborted) return { code: 'aborted', error: signal.reason };
  return isCompactionFailed(thrown) ? { code: thrown.reason, error: thrown.cause } : { code: 'compaction_threw', error: thrown };
}

/** The function, with what it throws under a code: for functions of the host that must not throw. */
export function guarded<A, R>(code: 'count_threw' | 'redact_threw', run: (given: A) => R): (given: A) => R {
  return (given) => {
    try {
      return run(given);
    } catch (error) {
      throw new CompactionFailedError(code, error);
    }
  };
}

/** True where another try, or another summariser, would fail in the same way. */
export function isHostFault(error: unknown): boolean {
  return isCompactionFailed(error) && (error.reason === 'count_threw' || error.reason === 'redact_threw');
}

function isCompactionFailed(error: unknown): error is CompactionFailedError {
  return isAgentosError(error) && error.code === 'compaction_failed';
}
