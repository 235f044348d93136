import { afterEach, expect, test } from 'vitest';
import { createScriptedModel } from '../create-scripted-model.js';
import { createFaultScript, type Fault } from './fault.js';
import { type ModelServer, type ModelServerOptions, startModelServer } from './start-model-server.js';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});
const start = async (options: ModelServerOptions): Promise<ModelServer> => {
  await server?.close();
  server = await startModelServer({ clock: { now: () => 1_700_000_000_000, setTimeout: () => () => undefined }, ...options });
  return server;
};
const ask = (path: string, body: object, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server?.baseUrl}${path}`, { method: 'POST', body: JSON.stringify(body), ...init });
const chat = (fields: object = {}): Promise<Response> =>
  ask('/chat/completions', { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }], ...fields });
const dataOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => (line === 'data: [DONE]' ? 'done' : JSON.parse(line.slice(6))));

const sum = {
  text: 'Sum:',
  reasoning: 'hm',
  toolCalls: [{ name: 'add', arguments: { first: 1, second: 2 } }],
  usage: { inputTokens: 7, outputTokens: 3 },
};

test('a stream is what OpenAI documents: role, deltas, calls in pieces, reason, usage, DONE', async () => {
  await start({ script: [sum] });
  const response = await chat({ stream_options: { include_usage: true } });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const data = dataOf(await response.text()) as { choices: { delta: object; finish_reason: unknown }[]; usage?: object }[];
  expect(data.slice(0, -1).map((chunk) => chunk.choices[0]?.delta ?? chunk.usage)).toEqual([
    { role: 'assistant', content: '' },
    { reasoning_content: 'hm' },
    { content: 'Sum:' },
    { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'add', arguments: '' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"first":1,"' } }] },
    { tool_calls: [{ index: 0, function: { arguments: 'second":2}' } }] },
    {},
    { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  ]);
  expect(data.at(-3)?.choices[0]?.finish_reason).toBe('tool_calls');
  expect(data.at(-1)).toBe('done');
});

test('without stream the same answer is one object', async () => {
  await start({ script: [sum] });
  expect(await (await chat({ stream: false })).json()).toEqual({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Sum:',
          reasoning_content: 'hm',
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"first":1,"second":2}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  });
});

test('the messages dialect streams blocks, and its body is read as chat messages', async () => {
  let seen: unknown;
  await start({
    script: (_body, { request }) => {
      seen = request.messages;
      return sum;
    },
  });
  const response = await ask('/messages', {
    model: 'm',
    stream: true,
    max_tokens: 100,
    system: 'Be kind.',
    messages: [
      { role: 'user', content: 'Add.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'add', input: { a: 1 } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: '1' },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
  });
  expect(dataOf(await response.text()).map((data) => (data as { type: string }).type)).toEqual(
    [
      ['message_start', 'ping'],
      ['content_block_start', 'content_block_delta', 'content_block_stop'],
      ['content_block_start', 'content_block_delta', 'content_block_stop'],
      ['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'],
      ['message_delta', 'message_stop'],
    ].flat(),
  );
  expect(seen).toEqual([
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Add.' },
    { role: 'assistant', content: null, tool_calls: [{ id: 't1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }] },
    { role: 'tool', content: '1', tool_call_id: 't1' },
    { role: 'user', content: 'And?' },
  ]);
});

test('requests are recorded byte for byte', async () => {
  const { requests } = await start({ script: createScriptedModel(['Hello']) });
  await (
    await ask(
      '/chat/completions',
      { model: 'm', messages: [{ role: 'user', content: 'Grüße 🌍' }] },
      { headers: { authorization: 'Bearer k' } },
    )
  ).text();
  expect(requests).toEqual([
    expect.objectContaining({
      path: '/v1/chat/completions',
      raw: '{"model":"m","messages":[{"role":"user","content":"Grüße 🌍"}]}',
      headers: expect.objectContaining({ authorization: 'Bearer k' }),
      outcome: 'sent',
    }),
  ]);
});

test('a path, a method or a body that is not understood is refused', async () => {
  await start({ script: ['x'] });
  expect((await ask('/embeddings', {})).status).toBe(404);
  expect((await ask('/chat/completions', {}, { body: '{' })).status).toBe(400);
  expect(await (await fetch(`${server?.baseUrl}/models`)).json()).toMatchObject({ object: 'list' });
});

test('an error of the script is an answer with its status', async () => {
  await start({ script: [{ error: { status: 418, message: 'a teapot' } }] });
  const refused = await chat();
  expect([refused.status, await refused.json()]).toEqual([418, { error: expect.objectContaining({ message: 'a teapot' }) }]);
  const exhausted = await start({ script: [] });
  expect(exhausted.requests).toEqual([]);
  expect((await chat()).status).toBe(500);
});

const withFault = async (fault: Fault): Promise<string> => {
  await start({ script: [sum], faults: [fault] });
  return (await chat()).text();
};

test('a status fault carries Retry-After, and the answer comes when asked again', async () => {
  await start({ script: ['Hello'], faults: [{ kind: 'status', status: 429, retryAfter: 2 }] });
  const refused = await chat();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
  expect(await (await chat()).text()).toContain('Hello');
});

test('a cut breaks the connection, and the answer comes when asked again', async () => {
  const { requests } = await start({ script: ['Hello'], faults: [{ kind: 'cut', afterFrames: 1 }] });
  await expect(chat().then((response) => response.text())).rejects.toThrow(TypeError);
  expect(await (await chat()).text()).toContain('Hello');
  expect(requests.map((request) => request.outcome)).toEqual(['cut', 'sent']);
});

test('a hang lasts until the client goes away', async () => {
  const { requests } = await start({ script: ['Hello', 'Hello'], faults: [{ kind: 'hang' }, { kind: 'hang', afterFrames: 1 }] });
  const leave = new AbortController();
  const silent = chat();
  while (requests.length < 1) await new Promise((resolve) => setImmediate(resolve));
  const started = await ask('/chat/completions', { model: 'm', stream: true, messages: [] }, { signal: leave.signal });
  const { value } = (await started.body?.getReader().read()) ?? {};
  expect(Buffer.from(value ?? []).toString()).toContain('"role":"assistant"');
  leave.abort();
  while (requests[1]?.outcome === 'open') await new Promise((resolve) => setImmediate(resolve));
  expect(requests.map((request) => request.outcome)).toEqual(['open', 'aborted']);
  await server?.close();
  await expect(silent).rejects.toThrow(TypeError);
});

test('faults of the answer itself are on the wire', async () => {
  const twice = [{ toolCalls: [{ name: 'a' }, { name: 'b' }] }];
  const idsWith = async (kind: 'duplicate-ids' | 'no-ids'): Promise<unknown[]> => {
    await start({ script: twice, faults: [{ kind }] });
    const data = dataOf(await (await chat()).text()) as { choices?: { delta: { tool_calls?: { id?: string; type?: string }[] } }[] }[];
    return data.flatMap((chunk) => chunk.choices?.[0]?.delta.tool_calls ?? []).flatMap((call) => (call.type ? [call.id] : []));
  };
  expect(await idsWith('duplicate-ids')).toEqual(['call_same', 'call_same']);
  expect(await idsWith('no-ids')).toEqual([undefined, undefined]);
  expect(await withFault({ kind: 'finish', finish: '' })).toContain('"finish_reason":""');
  expect(await withFault({ kind: 'no-done' })).not.toContain('[DONE]');
  expect(await withFault({ kind: 'comments' })).toContain(': PROCESSING\n\ndata: ');
  expect(await withFault({ kind: 'in-band-error', afterFrames: 0 })).toMatch(/^data: {"error":.*}\n\n$/);
  expect(await withFault({ kind: 'early-end', afterFrames: 3 })).not.toContain('finish_reason":"');
  expect(() => dataOf('data: {"a":1')).toThrow();
  const broken = await withFault({ kind: 'malformed-json', frame: 1 });
  expect(() => dataOf(broken)).toThrow(SyntaxError);
  expect(await withFault({ kind: 'split', bytes: 3 })).toContain('data: [DONE]\n\n');
  const cut = dataOf(await withFault({ kind: 'cut-arguments' })) as {
    choices?: { delta: { tool_calls?: { function: { arguments: string } }[] } }[];
  }[];
  const pieces = cut.flatMap((chunk) => chunk.choices?.[0]?.delta.tool_calls ?? []).map((call) => call.function.arguments);
  expect(pieces.join('')).toBe('{"first":1,');
});

test('fault scripts are drawn from their seed', () => {
  const draw = (seed: number) => createFaultScript(seed, { length: 200 });
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  const kinds = new Set(draw(3).map((fault) => fault?.kind));
  expect(kinds.size).toBe(15);
  expect(createFaultScript(1, { rate: 0 }).every((fault) => fault === undefined)).toBe(true);
  expect(new Set(createFaultScript(1, { rate: 1, kinds: ['hang'] }).map((fault) => fault?.kind))).toEqual(new Set(['hang']));
});
