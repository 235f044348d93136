import { generate } from '@x/core';
import { expect, test } from 'vitest';
import { answerFrom, fixture, request } from './answer-from.test-helper.js';
import { anthropic } from './anthropic/index.js';
import { openai } from './openai.js';

const json = { 'content-type': 'application/json' };
const fault = {
  loc: ['body', 'stream_options'],
  msg: 'Extra inputs are not permitted',
  type: 'extra_forbidden',
  input: { said: 'temperature' },
};

test.each([
  ['FastAPI', 400, json, JSON.stringify({ detail: [fault] })],
  ['FastAPI with its own status', 422, json, JSON.stringify({ detail: [fault] })],
  ['a bare message', 400, json, '{"message":"Extra inputs are not permitted: stream_options"}'],
  ['an older vLLM', 400, json, '{"object":"error","message":"stream_options is unknown","code":400}'],
  ['an error that is a text', 422, json, '{"error":"stream_options is not supported"}'],
  ['plain text', 400, { 'content-type': 'text/plain' }, 'stream_options not supported'],
])('a field that is refused in the words of %s is left out, and the request goes again (FR-234)', async (_title, status, headers, body) => {
  const { fetch, sent } = answerFrom({ status, headers, pieces: [body] }, { pieces: [fixture('vllm.sse')] });
  await generate(openai({ model: 'm', baseUrl: 'http://127.0.0.1:8000/v1', fetch, retries: 0 }), { ...request, temperature: 0.3 });
  expect(sent.map((one) => ['stream_options' in one.body, 'temperature' in one.body])).toEqual([
    [true, true],
    [false, true],
  ]);
});

test('the words of a refusal decide its kind, whatever field they stand in', async () => {
  for (const body of ['{"object":"error","message":"maximum context length is 8192 tokens"}', '{"detail":"prompt is too long"}']) {
    const { fetch } = answerFrom({ status: 400, headers: json, pieces: [body] });
    for (const model of [
      openai({ model: 'm', baseUrl: 'http://127.0.0.1:8000/v1', fetch, retries: 0 }),
      anthropic({ model: 'm', apiKey: 'k', fetch, retries: 0 }),
    ]) {
      await expect(generate(model, request)).rejects.toMatchObject({ code: 'context_too_long', status: 400 });
    }
  }
});

test('Retry-After and the status stay, also when there is no body', async () => {
  const { fetch } = answerFrom({ status: 429, headers: { 'retry-after': '90' } });
  await expect(generate(openai({ model: 'm', apiKey: 'k', baseUrl: 'https://x.example/v1', fetch }), request)).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterMs: 90_000,
  });
});
