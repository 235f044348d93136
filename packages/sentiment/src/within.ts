import { AgentosError, type Clock } from '@x/core';

/** An analyser took longer than it may. */
export class AnalyserTimeoutError extends AgentosError {
  override readonly name = 'AnalyserTimeoutError';
  readonly code = 'analyser_timeout';
  readonly retryable = true;
  constructor(timeoutMs: number) {
    super(`The sentiment analyser gave no answer within ${timeoutMs} ms. Raise timeoutMs or use a faster analyser.`);
  }
}

/** Waits for `work` at most `timeoutMs` milliseconds. */
export function within<T>(work: Promise<T>, timeoutMs: number, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimeout(() => reject(new AnalyserTimeoutError(timeoutMs)), timeoutMs);
    work.then(resolve, reject).finally(cancel);
  });
}
