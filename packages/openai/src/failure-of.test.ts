import { expect, test } from 'vitest';
import { errorInAnswer, failureOf, retryAfterOf, wordsOf } from './failure-of.js';

const thrown = (status: number, error: object = {}, headers: Record<string, string> = {}) =>
  Object.assign(new Error('sk-secret said the user'), { status, error, headers: new Headers(headers) });
const of = (error: unknown) => failureOf(error, 'openai/m', 0);

test.each([
  [400, {}, 'model_request_invalid', false],
  [400, { code: 'context_length_exceeded' }, 'context_too_long', false],
  [400, { message: "This model's maximum context length is 8192 tokens." }, 'context_too_long', false],
  [
    400,
    { error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' } },
    'context_too_long',
    false,
  ],
  [401, {}, 'auth_failed', false],
  [402, {}, 'quota_exhausted', false],
  [403, {}, 'auth_failed', false],
  [404, {}, 'model_not_found', false],
  [408, {}, 'model_timeout', true],
  [409, {}, 'model_unavailable', true],
  [413, {}, 'context_too_long', false],
  [422, {}, 'model_request_invalid', false],
  [429, {}, 'rate_limited', true],
  [429, { code: 'insufficient_quota' }, 'quota_exhausted', false],
  [500, {}, 'model_unavailable', true],
  [503, {}, 'model_unavailable', true],
  [529, { error: { type: 'overloaded_error' } }, 'model_unavailable', true],
])('HTTP %i with %j is %s', (status, body, code, retryable) => {
  expect(of(thrown(status, body))).toMatchObject({ code, retryable, status });
});

test('a message names place, status and the endpoint’s own word, and nothing that was said', () => {
  const error = of(thrown(400, { code: 'bad_thing', message: 'the user wrote: my password is x' }));
  expect(error.message).toBe('openai/m: the endpoint refused the request. See cause for its words. (HTTP 400, bad_thing)');
  expect(of(thrown(400, { code: 'free text with a password' })).message).not.toContain('password');
});

test('without a status the endpoint was not reached; the network’s own code is kept', () => {
  const error = Object.assign(new Error('x'), { cause: Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }) });
  expect(of(error)).toMatchObject({ code: 'model_unavailable', reason: 'ECONNREFUSED', status: undefined });
  expect(of('a string')).toMatchObject({ code: 'model_unavailable' });
  expect(of(null)).toMatchObject({ code: 'model_unavailable' });
});

test('an error of ours stays as it is', () => {
  const own = of(thrown(500));
  expect(of(own)).toBe(own);
});

test('Retry-After is seconds, a date or milliseconds', () => {
  const after = (headers: Record<string, string>, nowMs = 0): number | undefined => retryAfterOf(new Headers(headers), nowMs);
  expect(after({ 'retry-after': '2' })).toBe(2_000);
  expect(after({ 'retry-after': '0' })).toBe(0);
  expect(after({ 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' }, 4_000)).toBe(5_000);
  expect(after({ 'retry-after': 'Thu, 01 Jan 1970 00:00:01 GMT' }, 4_000)).toBe(0);
  expect(after({ 'retry-after-ms': '150', 'retry-after': '9' })).toBe(150);
  expect(after({ 'retry-after': 'soon' })).toBeUndefined();
  expect(after({})).toBeUndefined();
  expect(retryAfterOf(undefined, 0)).toBeUndefined();
  expect(of(thrown(429, {}, { 'retry-after': '3' }))).toMatchObject({ retryAfterMs: 3_000 });
});

test.each([
  [{ code: 502, message: 'Provider disconnected' }, 'model_unavailable'],
  [{ code: 429, message: 'slow down' }, 'rate_limited'],
  [{ type: 'rate_limit_error', message: '' }, 'rate_limited'],
  [{ type: 'overloaded_error' }, 'model_unavailable'],
  [{ type: 'invalid_request_error' }, 'model_request_invalid'],
  [{ code: 'context_length_exceeded' }, 'context_too_long'],
  [{ message: 'You exceeded your current quota' }, 'quota_exhausted'],
  ['Something broke', 'model_unavailable'],
])('an error inside an answer, %j, is %s', (error, code) => {
  expect(errorInAnswer('openai/m', error)).toMatchObject({ code });
});

test('the words of a refusal are read from either shape of body', () => {
  expect(wordsOf(thrown(400, { param: 'stream_options', message: 'Unknown parameter' }))).toContain('stream_options');
  expect(wordsOf(thrown(400, { error: { message: 'temperature is deprecated' } }))).toContain('temperature');
});
