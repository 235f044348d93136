import { AgentosError } from '@x/core';

/** A packed model does not hold as many weights as it says. */
export class InvalidModelError extends AgentosError {
  override readonly name = 'InvalidModelError';
  readonly code = 'model_invalid';
  readonly retryable = false;
  constructor(held: number, wanted: number) {
    super(`The model holds ${held} weights where ${wanted} are needed. Train it again with scripts/train.mjs of this version.`);
  }
}
