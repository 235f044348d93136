import { AgentosError } from '@x/core';

/** A beat took longer than `maxBeatMs` and was aborted. */
export class BeatTimeoutError extends AgentosError {
  override readonly name = 'BeatTimeoutError';
  readonly code = 'beat_timeout';
  readonly retryable = true;
  constructor(maxBeatMs: number) {
    super(`A beat did not end within ${maxBeatMs} ms and was aborted. Look for a tool that ignores its signal.`);
  }
}

/** A process ended while it ran a beat. The beat is not run again: what it did already would be done twice. */
export class BeatInterruptedError extends AgentosError {
  override readonly name = 'BeatInterruptedError';
  readonly code = 'beat_interrupted';
  readonly retryable = false;
  constructor() {
    super('A process ended while it ran a beat. Look at what the beat had done; it is not run again.');
  }
}

/** A beat did not come to an answer. */
export class BeatFailedError extends AgentosError {
  override readonly name = 'BeatFailedError';
  readonly code = 'beat_failed';
  readonly retryable = true;
  /** A code, the name of a limit, or what the run called its end. */
  readonly reason: string;
  constructor(reason: string, cause: unknown) {
    super(`The beat did not end well (${/^\w{1,60}$/.test(reason) ? reason : 'no known reason'}). See the cause.`, { cause });
    this.reason = reason;
  }
}
