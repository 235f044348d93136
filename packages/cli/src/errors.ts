import { AgentosError } from '@x/agentos';

/** The command line, or what it names, is wrong; the message says what to type instead. */
export class UsageError extends AgentosError {
  override readonly name = 'UsageError';
  readonly code = 'usage_wrong';
  readonly retryable = false;
}
