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

/** The run of a beat says itself that it did not come to an end. */
export class BeatFailedError extends AgentosError {
  override readonly name = 'BeatFailedError';
  readonly code = 'beat_failed';
  readonly retryable = true;
  /** What the run called its end. */
  readonly status: string;
  constructor(status: string, cause: unknown) {
    super(`The run of the beat ended as ${/^\w{1,30}$/.test(status) ? status : 'nothing known'}. See the cause.`, { cause });
    this.status = status;
  }
}
