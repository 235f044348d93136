import { expect, test } from 'vitest';
import { answerFrom, eventsOf } from './answer-from.test-helper.js';
import { anthropic } from './anthropic/index.js';
import { openai } from './openai.js';
import { finishOf, isFailureWord } from './read-answer.js';

const part = 'data: {"choices":[{"index":0,"delta":{"content":"par"}}]}\n\n';
const ask = (pieces: readonly string[]) =>
  eventsOf(openai({ model: 'm', baseUrl: 'http://127.0.0.1:8000/v1', retries: 0, fetch: answerFrom({ pieces }).fetch }));

test.each([
  ['the word for it', '{"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}', 'model_unavailable'],
  ['a word of its own', '{"choices":[{"index":0,"delta":{},"finish_reason":"insufficient_system_resource"}]}', 'model_unavailable'],
  ['an error in the choice', '{"choices":[{"index":0,"delta":{},"finish_reason":"error","error":{"code":502}}]}', 'model_unavailable'],
  ['an error in the choice that tells its kind', '{"choices":[{"index":0,"error":{"code":429,"message":"slow"}}]}', 'rate_limited'],
  ['an object that is an error', '{"object":"error","message":"bad","type":"BadRequestError","code":400}', 'model_request_invalid'],
  ['an object that is an error, with its status as text', '{"object":"error","message":"bad","code":"400"}', 'model_request_invalid'],
  ['a bare message', '{"message":"bad","code":500}', 'model_unavailable'],
])('an answer that fails by %s is no success, and its part stays a part (FR-213)', async (_title, data, code) => {
  const { events, thrown } = await ask([part, `data: ${data}\n\n`, 'data: [DONE]\n\n']);
  expect(events).toEqual([{ type: 'text-delta', text: 'par' }]);
  expect(thrown).toMatchObject({ code });
});

test('words for nothing are no reason to end (FR-210)', async () => {
  for (const word of ['null', 'none', ' ', 'None']) {
    expect(finishOf(word)).toBeUndefined();
    const piece = `data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"${word}"}]}\n\n`;
    expect((await ask([piece])).thrown).toMatchObject({ code: 'model_stream_cut' });
    expect((await ask([piece, piece, 'data: [DONE]\n\n'])).events.at(-1)).toMatchObject({ type: 'model-end', finish: 'stop' });
  }
});

test('each word has one meaning', () => {
  expect(['error', 'ERROR', 'network_error', 'abort', 'cancelled', 'MALFORMED_FUNCTION_CALL'].every(isFailureWord)).toBe(true);
  expect(['stop', 'STOP', 'end_turn', 'eos', 'length', 'ERROR_LIMIT', 'ERROR_TOXIC', 'tool_calls', null].some(isFailureWord)).toBe(false);
  expect(['content-filter', 'max-tokens', 'tool-calls', 'TOOL_USE'].map(finishOf)).toEqual([
    'refused',
    'length',
    'tool-calls',
    'tool-calls',
  ]);
  expect(['sensitive', 'content_filtered', 'ERROR_TOXIC'].map(finishOf)).toEqual(['refused', 'refused', 'refused']);
});

test('the other wire fails the same way', async () => {
  for (const data of [
    '{"type":"message_delta","delta":{"stop_reason":"error"}}',
    '{"type":"error","message":"bad"}',
    '{"error":{"type":"overloaded_error"}}',
  ]) {
    const { fetch } = answerFrom({ pieces: [`data: ${data}\n\n`, 'data: {"type":"message_stop"}\n\n'] });
    expect((await eventsOf(anthropic({ model: 'm', apiKey: 'k', retries: 0, fetch }))).thrown).toMatchObject({ code: 'model_unavailable' });
  }
});
