import { AgentosError } from '@x/core';

/** Another attempt of the turn asked something else under the id of a step that was done. */
export class StepChangedError extends AgentosError {
  override readonly name = 'StepChangedError';
  readonly code = 'step_changed';
  readonly retryable = false;
  constructor({ step, lane }: { step: string; lane: string }) {
    super(`Step ${step} in lane ${lane} was done with another request. Give steps ids that follow from what they ask.`);
  }
}

/** Node or pg-boss is older than what strict order per lane needs. */
export class EngineTooOldError extends AgentosError {
  override readonly name = 'EngineTooOldError';
  readonly code = 'engine_too_old';
  readonly retryable = false;
  constructor({ what, found, needed }: { what: string; found: string; needed: string }) {
    super(`${what} is ${found}; turns on many machines need ${needed} or newer.`);
  }
}

/** A turn ran longer than it may; its lease is over. */
export class LeaseOverError extends AgentosError {
  override readonly name = 'LeaseOverError';
  readonly code = 'lease_over';
  readonly retryable = true;
  constructor(lane: string) {
    super(`The lease of a turn in lane ${lane} is over. Stop: nothing more of it will be kept.`);
  }
}

/** The engine was closed, or the turn cancelled. */
export class TurnCancelledError extends AgentosError {
  override readonly name = 'TurnCancelledError';
  readonly code = 'turn_cancelled';
  readonly retryable = false;
  constructor(lane: string) {
    super(`A turn in lane ${lane} was cancelled. Nothing of it was kept.`);
  }
}
