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

const said = (message: string, fields: object = {}) => ({ error: { message, ...fields } });

test.each([
  ['Anthropic', 400, said('input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000')],
  ['Gemini', 400, [said('The input token count (1200000) exceeds the maximum number of tokens allowed (1048575).', { code: 400 })]],
  ['xAI', 400, { error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", code: 'Client error' }],
  ['Moonshot', 400, said('Your request exceeded model token limit: 262144 (requested: 291351)')],
  ['Copilot', 400, said('prompt token count of 128001 exceeds the limit of 128000')],
  ['vLLM', 400, { object: 'error', message: 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.' }],
  ['SGLang', 400, { object: 'error', message: "The input (400013 tokens) is longer than the model's context length (262144 tokens)." }],
  ['TGI', 422, { error: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000' }],
  ['Zhipu', 400, said('Prompt exceeds max length', { code: '1261' })],
  ['DashScope', 400, said('InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]')],
  ['Poolside', 400, said('Input length 131393 exceeds the maximum allowed input length of 131040 tokens.')],
  ['Groq', 400, said('Please reduce the length of the messages or completion.')],
  ['Cohere', 400, { message: 'too many tokens: total number of tokens in the prompt cannot exceed 4081' }],
  ['OpenRouter', 400, said('Provider returned error', { metadata: { raw: '{"error":{"message":"prompt is too long: 210000 tokens"}}' } })],
  ['llama.cpp', 500, said('Context size has been exceeded.', { code: 500, type: 'server_error' })],
  ['LM Studio', 400, said('Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)')],
  [
    'LM Studio, elsewhere',
    400,
    { error: 'Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded.' },
  ],
  ['LiteLLM', 500, said('litellm.ContextWindowExceededError: too much')],
  ['OpenAI, one request above the limit per minute', 429, said('Request too large for gpt-4o on tokens per min (TPM): Limit 30000')],
])('%s: a conversation that is too long is told as that', (_who, status, error) => {
  expect(of(thrown(status, error))).toMatchObject({ code: 'context_too_long', retryable: false });
});

test.each([
  ['Bedrock slows down', 429, { message: 'Too many tokens, please wait before trying again.' }, 'rate_limited'],
  ['OpenAI limits tokens per minute', 429, said('Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000'), 'rate_limited'],
  ['a limit of the answer', 400, said('max_tokens: 100000 > 8192, the maximum allowed number of output tokens'), 'model_request_invalid'],
  ['too many tools', 400, said("Invalid 'tools': array too long. Expected an array with maximum length 128"), 'model_request_invalid'],
  [
    'a long description',
    400,
    said("Invalid 'tools[0].function.description': string too long.", { code: 'string_above_max_length' }),
    'model_request_invalid',
  ],
  ['a tool that has to do with money', 400, said("Invalid schema for function 'billing_lookup'"), 'model_request_invalid'],
  ['Anthropic without credit', 400, said('Your credit balance is too low to access the Anthropic API.'), 'quota_exhausted'],
  ['xAI without credit', 403, said('Your team has either used all available credits or reached its limit.'), 'quota_exhausted'],
  [
    'OpenRouter about what was said',
    403,
    said('x requires moderation. Your input was flagged for "y".', { code: 403 }),
    'model_request_invalid',
  ],
  ['DeepSeek', 400, said('Model Not Exist', { type: 'invalid_request_error' }), 'model_not_found'],
  ['OpenRouter', 400, said('foo is not a valid model ID', { code: 400 }), 'model_not_found'],
  ['Mistral', 400, { object: 'error', message: 'Invalid model: foo', type: 'invalid_model', code: '1500' }, 'model_not_found'],
  ['Gemini with a wrong key', 400, [said('API key not valid. Please pass a valid API key.', { code: 400 })], 'auth_failed'],
  ['xAI with a wrong key', 400, { error: 'Incorrect API key provided: xa***.' }, 'auth_failed'],
])('%s is told as what it is', (_who, status, error, code) => {
  expect(of(thrown(status, error))).toMatchObject({ code });
});

test('words tell how long to wait where no header does; a quota per minute is a limit, not the end (Gemini, OpenAI)', () => {
  const quota = said('You exceeded your current quota, please check your plan and billing details.\nPlease retry in 37.4s.', { code: 429 });
  expect(of(thrown(429, [quota]))).toMatchObject({ code: 'rate_limited', retryAfterMs: 37_400 });
  for (const [words, waitMs] of [
    ['Please try again in 20s. Visit', 20_000],
    ['Please try again in 1m12.5s.', 72_500],
    ['Please try again in 6ms.', 6],
    ['Retry after 5 seconds', 5_000],
    ['Please try again in 2 minutes', 120_000],
    ['Please try again in a while', undefined],
  ] as const) {
    expect(of(thrown(429, said(words)))).toMatchObject({ code: 'rate_limited', retryAfterMs: waitMs });
  }
  expect(of(thrown(429, said('Please try again in 20s.'), { 'retry-after': '3' }))).toMatchObject({ retryAfterMs: 3_000 });
});

const google = (message: string, quotaId: string, retryDelay: string) => [
  said(message, {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
    ],
  }),
];

test('a wait that stands in a field of its own counts as one in words (Gemini)', () => {
  const words = 'You exceeded your current quota, please check your plan and billing details.';
  const minute = google(words, 'GenerateContentPaidTierInputTokensPerModelPerMinute', '45.837906927s');
  expect(of(thrown(429, minute))).toMatchObject({ code: 'rate_limited', retryAfterMs: 45_838 });
  expect(of(thrown(429, google(words, 'GenerateRequestsPerMinutePerProjectPerModel', '0s')))).toMatchObject({
    code: 'rate_limited',
    retryAfterMs: 0,
  });
  expect(errorInAnswer('gemini/m', minute)).toMatchObject({ code: 'rate_limited', retryAfterMs: 45_838 });
  // A day's quota is not back after the seconds that are told.
  const day = google(`${words}\nPlease retry in 38s.`, 'GenerateRequestsPerDayPerProjectPerModel-FreeTier', '38s');
  expect(of(thrown(429, day))).toMatchObject({ code: 'quota_exhausted', retryable: false });
});

test('a quota that comes back later is waited for as long as it says', () => {
  const words = 'You have exhausted your capacity on this model. Your quota will reset after 12h34m16s.';
  expect(of(thrown(429, said(words)))).toMatchObject({ code: 'rate_limited', retryAfterMs: 45_256_000 });
});

test('a call that the model wrote wrong is no fault of the request: it may be asked again (Groq)', () => {
  const failed = said('Failed to call a function. Please adjust your prompt.', { type: 'invalid_request_error', code: 'tool_use_failed' });
  expect(of(thrown(400, failed))).toMatchObject({ code: 'model_reply_malformed', retryable: true, status: 400 });
  expect(errorInAnswer('groq/m', failed.error)).toMatchObject({ code: 'model_reply_malformed', retryable: true });
});

test('words that stand one object deeper are read too (Mistral)', () => {
  const detail = [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted', input: 'secret' }];
  const words = wordsOf(thrown(422, { object: 'error', message: { detail }, type: 'invalid_request_error' }));
  expect(words).toContain('stream_options');
  expect(words).not.toContain('secret');
});

test.each([
  ['authentication_error', 'auth_failed'],
  ['permission_error', 'auth_failed'],
  ['not_found_error', 'model_not_found'],
  ['request_too_large', 'context_too_long'],
  ['billing_error', 'quota_exhausted'],
  ['timeout_error', 'model_timeout'],
  ['api_error', 'model_unavailable'],
])('inside an answer the name %s is enough', (type, code) => {
  expect(errorInAnswer('anthropic/m', { type, message: 'x' })).toMatchObject({ code, status: undefined });
});
