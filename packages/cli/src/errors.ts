import { AgentosError } from '@x/agentos';

/** The command line, or what it names, is wrong; the message says what to type instead. */
export class UsageError extends AgentosError {
  override readonly name = 'UsageError';
  readonly code = 'usage_wrong';
  readonly retryable = false;
}

/** What was said is not an answer to the question; the message says what would be. The turn goes on waiting. */
export class AnswerInvalidError extends AgentosError {
  override readonly name = 'AnswerInvalidError';
  readonly code = 'answer_invalid';
  readonly retryable = false;
}

/** What was sent to the inspector is no JSON object. */
export class BodyInvalidError extends AgentosError {
  override readonly name = 'BodyInvalidError';
  readonly code = 'body_invalid';
  readonly retryable = false;
}

/** A person stopped the turn: nothing of it was kept but the effects of its tools. */
export class TurnStoppedError extends AgentosError {
  override readonly name = 'TurnStoppedError';
  readonly code = 'turn_stopped';
  readonly retryable = false;
}
