import { AgentosError } from '@x/core';

/** The directory of a persona is not there, or is not a directory. */
export class PersonaDirError extends AgentosError {
  override readonly name = 'PersonaDirError';
  readonly code = 'persona_dir_missing';
  readonly retryable = false;
  constructor(problem: string, options?: { cause?: unknown }) {
    super(`The persona's directory ${problem}. Create it, or correct the path.`, options);
  }
}
