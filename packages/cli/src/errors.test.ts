import { isAgentosError } from '@x/agentos';
import { expect, test } from 'vitest';
import { AnswerInvalidError, BodyInvalidError, TurnStoppedError, UsageError } from './errors.js';

test.each([
  [UsageError, 'UsageError', 'usage_wrong'],
  [AnswerInvalidError, 'AnswerInvalidError', 'answer_invalid'],
  [BodyInvalidError, 'BodyInvalidError', 'body_invalid'],
  [TurnStoppedError, 'TurnStoppedError', 'turn_stopped'],
] as const)('%o has its code and is known as one of ours', (Kind, name, code) => {
  const error = new Kind('Type something else.');
  expect(isAgentosError(error)).toBe(true);
  expect(error).toMatchObject({ name, code, retryable: false, message: 'Type something else.' });
});
