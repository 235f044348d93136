import { generate } from '@x/core';
import { startModelServer } from '@x/testkit';
import { expect, test, vi } from 'vitest';
import { answerFrom, fixture, request } from '../answer-from.test-helper.js';
import { anthropic } from './anthropic.js';

const frame = (type: string, fields: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

test('a turn with a tool goes over the wire and back', async () => {
  const server = await startModelServer({
    script: [{ text: 'I look.', toolCalls: [{ name: 'get_weather', arguments: { city: 'Zürich' }, id: 'toolu_1' }] }, 'It is sunny.'],
  });
  const model = anthropic({ model: 'claude-test', baseUrl: server.baseUrl });
  const first = await generate(model, request);
  expect(first).toMatchObject({
    text: 'I look.',
    finish: 'tool-calls',
    calls: [{ id: 'toolu_1', function: { name: 'get_weather', arguments: '{"city":"Zürich"}' } }],
  });
  const messages = [...request.messages, first.message, { role: 'tool' as const, content: 'sunny', tool_call_id: 'toolu_1' }];
  expect((await generate(model, { ...request, messages })).text).toBe('It is sunny.');
  expect(server.requests.map(({ path }) => path)).toEqual(['/v1/messages', '/v1/messages']);
  await server.close();
});

test('the key goes in its own header, to its own host, with the version of the library and nothing of the environment', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-ant-env');
  vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'X-Secret: s');
  const home = answerFrom({ pieces: [fixture('anthropic.sse')] });
  await generate(anthropic({ model: 'm', fetch: home.fetch }), request);
  expect(home.sent[0]?.url).toBe('https://api.anthropic.com/v1/messages');
  expect(home.sent[0]?.headers).toEqual({
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
    'anthropic-version': expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    'x-api-key': 'sk-ant-env',
  });
  expect(() => anthropic({ model: 'm', baseUrl: 'https://other.example' })).toThrow(expect.objectContaining({ code: 'api_key_missing' }));
  vi.unstubAllEnvs();
});

test('a text that its first piece says once more is said once (MiniMax)', async () => {
  const delta = (index: number, text: string) => frame('content_block_delta', { index, delta: { type: 'text_delta', text } });
  const begin = (index: number, text: string) => frame('content_block_start', { index, content_block: { type: 'text', text } });
  const end = frame('message_delta', { delta: { stop_reason: 'end_turn' } }) + frame('message_stop', {});
  const said = async (...pieces: readonly string[]) =>
    (await generate(anthropic({ model: 'm', apiKey: 'k', fetch: answerFrom({ pieces: [...pieces, end] }).fetch }), request)).text;
  expect(await said(begin(0, 'ha'), delta(0, 'ha'), delta(0, 'ha'))).toBe('haha');
  expect(await said(begin(0, 'ha'), delta(0, 'llo'), delta(0, 'ha'))).toBe('halloha');
  expect(await said(begin(0, ''), delta(0, 'ha'), delta(0, 'ha'))).toBe('haha');
});

test('an id of the endpoint’s own goes back as it came, and one of another in letters that are allowed (Kimi)', async () => {
  const called = frame('content_block_start', {
    index: 0,
    content_block: { type: 'tool_use', id: 'functions.run:0', name: 'run', input: {} },
  });
  const { fetch, sent } = answerFrom({
    pieces: [called, frame('message_delta', { delta: { stop_reason: 'tool_use' } }), frame('message_stop', {})],
  });
  const tools = [{ name: 'run', description: '', inputSchema: {} }];
  const model = () => anthropic({ model: 'm', apiKey: 'k', fetch });
  const own = model();
  const { message } = await generate(own, { messages: [{ role: 'user', content: 'Go' }], tools });
  const messages = [
    { role: 'user' as const, content: 'Go' },
    message,
    { role: 'tool' as const, content: 'ok', tool_call_id: 'functions.run:0' },
  ];
  await generate(own, { messages, tools });
  await generate(model(), { messages, tools });
  const idsIn = (index: number) => JSON.stringify(sent[index]?.body['messages']).match(/"(?:tool_use_)?id":"[^"]+"/g);
  expect(idsIn(1)).toEqual(['"id":"functions.run:0"', '"tool_use_id":"functions.run:0"']);
  expect(idsIn(2)).toEqual(['"id":"call_functions1arun1m0"', '"tool_use_id":"call_functions1arun1m0"']);
});

test('a talk with calls goes with tools that stand in where the endpoint demands them (Bedrock)', async () => {
  const refusal = {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'The toolConfig field must be defined when using toolUse' },
  };
  const { fetch, sent } = answerFrom({ status: 400, pieces: [JSON.stringify(refusal)] }, { pieces: [fixture('anthropic.sse')] });
  const messages = [
    { role: 'user' as const, content: 'Go' },
    {
      role: 'assistant' as const,
      content: null,
      tool_calls: [{ id: 'a', type: 'function' as const, function: { name: 'run', arguments: '{}' } }],
    },
    { role: 'tool' as const, content: 'ok', tool_call_id: 'a' },
  ];
  await generate(anthropic({ model: 'm', apiKey: 'k', retries: 0, fetch }), { messages, tools: [] });
  expect(sent.map(({ body }) => [body['tools'], body['tool_choice']])).toEqual([
    [undefined, undefined],
    [[{ name: 'run', description: 'Not available now.', input_schema: { type: 'object', properties: {} } }], { type: 'none' }],
  ]);
});

test('thinking with its signature goes back with the calls that it led to', async () => {
  const { fetch, sent } = answerFrom({ pieces: [fixture('anthropic.sse')] });
  const model = anthropic({ model: 'm', apiKey: 'k', fetch });
  const { message } = await generate(model, request);
  await generate(model, {
    ...request,
    messages: [
      ...request.messages,
      message,
      ...(message.tool_calls ?? []).map((call) => ({ role: 'tool' as const, content: 'ok', tool_call_id: call.id })),
    ],
  });
  const [, second] = sent;
  const messages = second?.body['messages'] as { role: string; content: unknown[] }[];
  expect(messages[1]?.content[0]).toEqual({ type: 'thinking', thinking: 'The city is known.', signature: 'EqQBCkYIBxgCKkA7' });
});

const block = (index: number, content_block: object, ...deltas: readonly object[]): string =>
  [
    frame('content_block_start', { index, content_block }),
    ...deltas.map((delta) => frame('content_block_delta', { index, delta })),
    frame('content_block_stop', { index }),
  ].join('');
const thinkingBlock = (index: number, thinking: string): string =>
  block(index, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking }, { type: 'signature_delta', signature: thinking });
const textBlock = (index: number, text: string): string => block(index, { type: 'text', text: '' }, { type: 'text_delta', text });
const ending = (stop_reason: string): string => frame('message_delta', { delta: { stop_reason } }) + frame('message_stop', {});

test('thinking and text go back in the order in which they came, and text that was changed stands behind', async () => {
  const call = block(3, { type: 'tool_use', id: 't1', name: 'list_cities', input: {} });
  const pieces = [thinkingBlock(0, 'A'), textBlock(1, 'I look. '), thinkingBlock(2, 'B'), call, ending('tool_use')];
  for (const [change, types] of [
    ['', ['thinking', 'text', 'thinking', 'tool_use']],
    ['!', ['thinking', 'thinking', 'text', 'tool_use']],
  ] as const) {
    const { fetch, sent } = answerFrom({ pieces });
    const model = anthropic({ model: 'm', apiKey: 'k', fetch });
    const { message } = await generate(model, request);
    const changed = { ...message, content: `${String(message.content)}${change}` };
    const result = { role: 'tool' as const, content: 'ok', tool_call_id: 't1' };
    await generate(model, { ...request, messages: [...request.messages, changed, result] });
    const messages = sent[1]?.body['messages'] as { content: { type: string }[] }[];
    expect(messages[1]?.content.map(({ type }) => type)).toEqual(types);
  }
});

test('a tool that the endpoint runs itself is no call of ours', async () => {
  const search = block(
    0,
    { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    { type: 'input_json_delta', partial_json: '{"q":1}' },
  );
  const { fetch } = answerFrom({ pieces: [search, textBlock(1, 'Found.'), ending('end_turn')] });
  const { text, calls, finish } = await generate(anthropic({ model: 'm', apiKey: 'k', fetch }), request);
  expect([text, calls, finish]).toEqual(['Found.', [], 'stop']);
});

test('a field that is refused is left out from then on', async () => {
  const refusal = {
    status: 400,
    headers: { 'content-type': 'application/json' },
    pieces: ['{"type":"error","error":{"type":"invalid_request_error","message":"temperature: not supported by this model"}}'],
  };
  const { fetch, sent } = answerFrom(refusal, { pieces: [fixture('anthropic.sse')] });
  await generate(anthropic({ model: 'm', apiKey: 'k', fetch }), { ...request, temperature: 0.3 });
  expect(sent.map(({ body }) => 'temperature' in body)).toEqual([true, false]);
});

test('a status is a typed error', async () => {
  for (const [status, code] of [
    [401, 'auth_failed'],
    [429, 'rate_limited'],
    [529, 'model_unavailable'],
  ] as const) {
    const { fetch } = answerFrom({
      status,
      headers: { 'content-type': 'application/json' },
      pieces: ['{"type":"error","error":{"type":"x","message":"no"}}'],
    });
    await expect(generate(anthropic({ model: 'm', apiKey: 'k', fetch, retries: 0 }), request)).rejects.toMatchObject({ code, status });
  }
});
