import { expect, test } from 'vitest';
import { answerFrom, eventsOf } from './answer-from.test-helper.js';
import { anthropic } from './anthropic/index.js';
import { openai } from './openai.js';

const pieces = ['data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n', 'data: [DONE]\n\n'];
const azure = 'https://name.openai.azure.com/openai/deployments/chat?api-version=2024-10-21';

test('headers of the caller win, however their names are written', async () => {
  const headers = { Authorization: 'Token own', 'Content-Type': 'application/json; charset=utf-8' };
  const answer = answerFrom({ pieces });
  await eventsOf(openai({ model: 'm', apiKey: 'k', headers, fetch: answer.fetch }));
  expect(new Headers(answer.sent[0]?.headers).get('authorization')).toBe('Token own');
  expect(new Headers(answer.sent[0]?.headers).get('content-type')).toBe('application/json; charset=utf-8');
  const other = answerFrom({ pieces: [] });
  await eventsOf(anthropic({ model: 'm', apiKey: 'k', retries: 0, headers: { 'X-Api-Key': 'own' }, fetch: other.fetch }));
  expect(new Headers(other.sent[0]?.headers).get('x-api-key')).toBe('own');
});

test('a header that cannot be sent is refused when the model is made, without its value', () => {
  for (const headers of [{ 'x-team': 'sécret\nx' }, { 'x team': 'secret' }, { 'x-team': 'secret “x”' }]) {
    const message = expect.not.stringMatching(/s.cret/) as unknown as string;
    expect(() => openai({ model: 'm', apiKey: 'k', headers })).toThrow(expect.objectContaining({ code: 'invalid_argument', message }));
  }
});

test('a query of the base URL goes with each request', async () => {
  const answer = answerFrom({ pieces });
  await eventsOf(openai({ model: 'm', apiKey: 'k', baseUrl: azure, fetch: answer.fetch }));
  expect(answer.sent[0]?.url).toBe('https://name.openai.azure.com/openai/deployments/chat/chat/completions?api-version=2024-10-21');
});
