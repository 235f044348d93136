import { AgentosError } from '@x/core';

/** No client is known for a provider or a model's name. */
export class ProviderUnknownError extends AgentosError {
  override readonly name = 'ProviderUnknownError';
  readonly code = 'provider_unknown';
  readonly retryable = false;
  constructor(providerId: string, modelId: string) {
    super(
      `No client is known for provider "${providerId}" (model "${modelId}"). Pass model or resolveModel; only openai and anthropic are built in.`,
    );
  }
}

/** A request names a persona that the runtime does not have. */
export class PersonaUnknownError extends AgentosError {
  override readonly name = 'PersonaUnknownError';
  readonly code = 'persona_unknown';
  readonly retryable = false;
  constructor(id: string, known: readonly string[]) {
    super(`There is no persona "${id}". Known: ${known.join(', ') || 'none'}.`);
  }
}

/** Options that contradict each other, or name something that does not exist. */
export class ConfigurationError extends AgentosError {
  override readonly name = 'ConfigurationError';
  readonly code = 'configuration_invalid';
  readonly retryable = false;
}

/** A call came after `shutdown`. */
export class ShutDownError extends AgentosError {
  override readonly name = 'ShutDownError';
  readonly code = 'shut_down';
  readonly retryable = false;
  constructor(what: string) {
    super(`${what} was shut down. Make a new one.`);
  }
}

/** A stream of words was left before its end, so that there is no result. */
export class ReplyAbandonedError extends AgentosError {
  override readonly name = 'ReplyAbandonedError';
  readonly code = 'reply_abandoned';
  readonly retryable = false;
  constructor() {
    super('textStream was left before its end and the turn was stopped. Read it to the end, or await a call of generate or send.');
  }
}
