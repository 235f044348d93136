import { expect, test } from 'vitest';
import { charsOverFour, compactor } from './index.js';

const summarize = () => 's';

test.each([
  [{ maxTokens: Number.NaN, summarize }],
  [{ maxTokens: 0, summarize }],
  [{ maxTokens: 100, summarize, keepTail: -1 }],
  [{ maxTokens: 100, summarize, windowTokens: Number.POSITIVE_INFINITY }],
  [{ maxTokens: 100, summarize: undefined as never }],
])('an option out of range is refused when the compactor is made: %o', (options) => {
  expect(() => compactor(options)).toThrow(expect.objectContaining({ code: 'invalid_argument', retryable: false }));
});

test('the older count is a quarter of the JSON, rounded up for each message', () => {
  expect(charsOverFour([{ role: 'user', content: '' }])).toBe(7);
  expect(charsOverFour([{ role: 'user', content: 'a'.repeat(4_000) }])).toBe(1_007);
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  expect(charsOverFour([cycle])).toBe(1);
});
