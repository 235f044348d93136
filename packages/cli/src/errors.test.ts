import { isAgentosError } from '@x/agentos';
import { expect, test } from 'vitest';
import { UsageError } from './errors.js';

test('each error has its code and is known as one of ours', () => {
  const error = new UsageError('Type something else.');
  expect(isAgentosError(error)).toBe(true);
  expect(error).toMatchObject({ name: 'UsageError', code: 'usage_wrong', retryable: false, message: 'Type something else.' });
});
