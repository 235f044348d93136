import { AgentosError } from '@x/core';

/** No metaprompt of the persona has this id, or it has no trigger. */
export class MetapromptUnknownError extends AgentosError {
  override readonly name = 'MetapromptUnknownError';
  readonly code = 'metaprompt_unknown';
  readonly retryable = false;
  /** @param known - Ids of those that can fire. */
  constructor(id: string, known: readonly string[]) {
    super(`No metaprompt "${id.slice(0, 60)}" can fire. There are: ${known.join(', ') || 'none'}.`);
  }
}

/** The executor was shut down and takes no more turns. */
export class MetapromptsClosedError extends AgentosError {
  override readonly name = 'MetapromptsClosedError';
  readonly code = 'metaprompts_closed';
  readonly retryable = false;
}

/** No applied batch has this id, or it was taken back before. */
export class BatchUnknownError extends AgentosError {
  override readonly name = 'BatchUnknownError';
  readonly code = 'batch_unknown';
  readonly retryable = false;
}
