import { AgentosError, type Finish } from '@x/core';

/** This class cannot do what was asked; another one can. */
export class NotSupportedError extends AgentosError {
  override readonly name = 'NotSupportedError';
  readonly code = 'not_supported';
  readonly retryable = false;
  constructor({ what, instead }: { readonly what: string; readonly instead: string }) {
    super(`${what} is not supported here. ${instead}`);
  }
}

/** A model's reply is no answer: not finished, or not of the shape that was asked for. */
export class ModelReplyError extends AgentosError {
  override readonly name = 'ModelReplyError';
  readonly code = 'model_reply_invalid';
  readonly retryable = true;
  constructor(what: string, { finish, cause }: { readonly finish?: Finish | undefined; readonly cause?: unknown } = {}) {
    const problem = finish === undefined ? 'has not the shape that was asked for' : `was not finished (${finish})`;
    super(`${what}: the model's reply ${problem}. Ask again or use another model.`, { cause });
  }
}
