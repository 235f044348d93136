import { generate, type IChatModel } from '@x/core';
import { createVirtualClock, startModelServer, type VirtualClock } from '@x/testkit';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { answerFrom, eventsOf, type FakeAnswer, fixture, request } from './answer-from.test-helper.js';
import { askEndpoint } from './ask-endpoint.js';
import { openai } from './openai.js';

// Loading it takes real time, in which the virtual clock must not move.
beforeAll(() => import('openai'));

const never = () => new Promise<never>(() => {});
const patience = { retries: 0, timeoutMs: 1, idleTimeoutMs: 1, maxRetryAfterMs: 1, clock: createVirtualClock(), random: () => 1 };
const hello = { pieces: [fixture('openai-text.sse')] };
const SAID = 'Grüße 🌍, 你好.';
const refusal = (status: number, headers: Record<string, string> = {}, error: object = { message: 'no' }): FakeAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  pieces: [JSON.stringify({ error })],
});

function setUp(
  answers: readonly FakeAnswer[],
  options: object = {},
): { model: IChatModel; sent: ReturnType<typeof answerFrom>['sent']; clock: VirtualClock } {
  const { fetch, sent } = answerFrom(...answers);
  const clock = createVirtualClock();
  return { model: openai({ model: 'm', apiKey: 'k', fetch, clock, random: () => 1, ...options }), sent, clock };
}
/** Runs to the end, with time passing whenever everything waits. */
async function run<T>(promise: Promise<T>, clock: VirtualClock): Promise<{ value?: T; thrown?: unknown; tookMs: number }> {
  let settled: { value?: T; thrown?: unknown } | undefined;
  promise.then(
    (value) => (settled = { value }),
    (thrown: unknown) => (settled = { thrown }),
  );
  for (let laps = 0; settled === undefined && laps < 2_000; laps += 1) {
    await clock.advance(0);
    // A wait of a second or less is one between tries or for an end: nothing else is going to happen before it.
    if (settled === undefined && laps > 20 && clock.nextAtMs !== undefined) await clock.advance(clock.nextAtMs - clock.now());
  }
  return { ...settled, tookMs: clock.now() };
}

test('what may help is tried again, after a wait that doubles', async () => {
  const { model, sent, clock } = setUp([refusal(500), refusal(503), hello]);
  const { value, tookMs } = await run(generate(model, request), clock);
  expect([value?.text, sent.length, tookMs]).toEqual([SAID, 3, 500 + 1_000]);
});

test('what cannot help is not tried again', async () => {
  for (const status of [400, 401, 403, 404, 413, 422]) {
    const { model, sent, clock } = setUp([refusal(status), hello]);
    const { thrown } = await run(generate(model, request), clock);
    expect(thrown).toMatchObject({ status, retryable: false });
    expect(sent).toHaveLength(1);
  }
});

test('when no try is left the last error is thrown', async () => {
  const { model, sent, clock } = setUp([refusal(500)], { retries: 1 });
  expect((await run(generate(model, request), clock)).thrown).toMatchObject({ code: 'model_unavailable', status: 500 });
  expect(sent).toHaveLength(2);
});

test('Retry-After is waited for, and a long one is an error at once', async () => {
  const patient = setUp([refusal(429, { 'retry-after': '7' }), hello]);
  expect(await run(generate(patient.model, request), patient.clock)).toMatchObject({ value: { text: SAID }, tookMs: 7_000 });
  const long = setUp([refusal(429, { 'retry-after': '3600' }), hello]);
  expect((await run(generate(long.model, request), long.clock)).thrown).toMatchObject({ code: 'rate_limited', retryAfterMs: 3_600_000 });
  expect(long.sent).toHaveLength(1);
});

test('a stream that breaks before anything came is asked for again; after that never', async () => {
  const early = setUp([{ pieces: [': hi\n\n'], after: 'break' }, hello]);
  expect((await run(generate(early.model, request), early.clock)).value?.text).toBe(SAID);
  const late = setUp([
    { pieces: [fixture('openai-text.sse').subarray(0, Buffer.from(fixture('openai-text.sse')).indexOf('🌍'))], after: 'break' },
    hello,
  ]);
  const { events, thrown } = (await run(eventsOf(late.model), late.clock)).value ?? {};
  expect(thrown).toMatchObject({ code: 'model_unavailable' });
  expect(events).toEqual([{ type: 'text-delta', text: 'Grüße' }]);
  expect(late.sent).toHaveLength(1);
});

test('a stream that ends without an end is cut, and retryable', async () => {
  const { model, clock } = setUp([{ pieces: ['data: {"choices":[{"delta":{"content":"Hel"}}]}\n\n'] }], { retries: 0 });
  expect((await run(generate(model, request), clock)).thrown).toMatchObject({ code: 'model_stream_cut', retryable: true });
});

test('a frame that is no JSON is an error without its text', async () => {
  const { model, clock } = setUp([{ pieces: ['data: {"choices": secret words\n\n'] }], { retries: 0 });
  const { thrown } = await run(generate(model, request), clock);
  expect(thrown).toMatchObject({ code: 'model_reply_malformed', retryable: true, message: expect.not.stringContaining('secret') });
});

test('silence is one time-out, a long answer another, and a busy reader neither', async () => {
  const silent = setUp([{ pieces: [': hi\n\n'], after: 'silence' }], { retries: 0, idleTimeoutMs: 5_000 });
  const idle = await run(generate(silent.model, request), silent.clock);
  expect([idle.thrown, idle.tookMs]).toEqual([
    expect.objectContaining({ code: 'model_timeout', retryable: true, message: expect.stringContaining('5000 ms') }),
    5_000,
  ]);
  const slow = setUp([{ pieces: [': hi\n\n'], after: 'silence' }], { retries: 0, idleTimeoutMs: 9_000, timeoutMs: 7_000 });
  expect((await run(generate(slow.model, request), slow.clock)).tookMs).toBe(7_000);
  const busy = setUp([hello], { idleTimeoutMs: 1_000 });
  let text = '';
  for await (const event of busy.model.stream(request, { signal: new AbortController().signal })) {
    if (event.type === 'text-delta') text += event.text;
    await busy.clock.advance(60_000);
  }
  expect(text).toBe(SAID);
});

test('an answer that is complete is taken though its connection stays open', async () => {
  const { model, clock } = setUp([{ ...hello, after: 'silence' }]);
  expect((await run(generate(model, request), clock)).value?.text).toBe(SAID);
});

test('an answer whose connection breaks after its reason to end is taken', async () => {
  const bytes = fixture('openai-text.sse');
  const beforeCounts = Buffer.from(bytes).indexOf('"choices":[]') - 100;
  const { model, clock } = setUp([{ pieces: [bytes.subarray(0, beforeCounts)], after: 'break' }]);
  expect((await run(generate(model, request), clock)).value).toMatchObject({ text: SAID, finish: 'stop', usage: {} });
});

test('an abort throws its own reason, before, while waiting, in the stream and between tries', async () => {
  const reason = { why: 'enough' };
  const aborted = AbortSignal.abort(reason);
  const never = setUp([hello]);
  expect((await eventsOf(never.model, request, aborted)).thrown).toBe(reason);
  expect(never.sent).toHaveLength(0);
  for (const answers of [
    [{ pieces: [], after: 'silence' }],
    [{ pieces: ['data: {"choices":[{"delta":{"content":"a"}}]}\n\n'], after: 'silence' }],
    [refusal(500)],
  ] as FakeAnswer[][]) {
    const { model, clock } = setUp(answers, { retries: 9 });
    const controller = new AbortController();
    const running = eventsOf(model, request, controller.signal);
    for (let lap = 0; lap < 10; lap += 1) await clock.advance(0);
    controller.abort(reason);
    expect((await running).thrown).toBe(reason);
    expect(clock.pending).toBe(0);
  }
});

test('a shared signal keeps no listener of a call that is over (FR-241)', async () => {
  const { model } = setUp([hello]);
  const { signal } = new AbortController();
  let listeners = 0;
  const counted = new Proxy(signal, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'addEventListener') listeners += 1;
      if (name === 'removeEventListener') listeners -= 1;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  for (let call = 0; call < 5; call += 1) await generate(model, request, { signal: counted });
  expect(listeners).toBe(0);
});

test('a reader that stops early ends the request', async () => {
  const server = await startModelServer({ script: [{ text: ['a', 'b'], hang: true }] });
  const model = openai({ model: 'm', baseUrl: server.baseUrl });
  for await (const event of model.stream(request, { signal: new AbortController().signal })) if (event.type === 'text-delta') break;
  while (server.requests[0]?.outcome === 'open') await new Promise((resolve) => setImmediate(resolve));
  expect(server.requests[0]?.outcome).toBe('aborted');
  await server.close();
});

test('a field that the endpoint refuses is left out from then on (FR-234)', async () => {
  const { model, sent, clock } = setUp(
    [
      refusal(400, {}, { message: 'Unknown field: stream_options' }),
      refusal(400, {}, { param: 'temperature', message: 'Unsupported value' }),
      hello,
    ],
    {
      retries: 0,
    },
  );
  const asked = { ...request, temperature: 0.3 };
  expect((await run(generate(model, asked), clock)).value?.text).toBe(SAID);
  await run(generate(model, asked), clock);
  expect(sent.map(({ body }) => ['stream_options' in body, 'temperature' in body])).toEqual([
    [true, true],
    [false, true],
    [false, false],
    [false, false],
  ]);
});

test('a call in the old form, and one that stands alone where a list should, are calls', async () => {
  const called = { name: 'get_weather', arguments: '{"city":"Bern"}' };
  for (const delta of [{ function_call: called, tool_calls: null }, { tool_calls: { id: 'a', type: 'function', function: called } }]) {
    const { fetch } = answerFrom({
      pieces: [`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: 'function_call' }] })}\n\ndata: [DONE]\n\n`],
    });
    const { events } = await eventsOf(openai({ model: 'm', baseUrl: 'http://127.0.0.1:9/v1', fetch }));
    expect(events).toMatchObject([
      { type: 'tool-call', call: { function: called } },
      { type: 'model-end', finish: 'tool-calls' },
    ]);
  }
});

const streamed = (...chunks: readonly object[]) => ({
  pieces: [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'],
});
const piece = (delta: object, more: object = {}) => ({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, ...more }] });
const saidIn = async (answer: FakeAnswer) => {
  const { events } = await eventsOf(openai({ model: 'm', baseUrl: 'http://127.0.0.1:9/v1', fetch: answerFrom(answer).fetch }));
  return events.flatMap((event) => ('text' in event ? [[event.type, event.text]] : []));
};

test('a whole answer at the end of its own stream is not said again (MiniMax)', async () => {
  const message = { role: 'assistant', content: 'Hello Ada', reasoning_content: 'hm' };
  const whole = { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage: { prompt_tokens: 9 } };
  const said = [
    ['reasoning-delta', 'hm'],
    ['text-delta', 'Hello '],
    ['text-delta', 'Ada'],
  ];
  expect(
    await saidIn(streamed(piece({ reasoning_content: 'hm' }), piece({ content: 'Hello ' }), piece({ content: 'Ada' }), whole)),
  ).toEqual(said);
  expect(await saidIn(streamed(whole))).toEqual([
    ['reasoning-delta', 'hm'],
    ['text-delta', 'Hello Ada'],
  ]);
  expect(await saidIn(streamed(piece({ reasoning_content: 'hm' }), whole))).toEqual([
    ['reasoning-delta', 'hm'],
    ['text-delta', 'Hello Ada'],
  ]);
});

test('calls that only the whole answer at the end holds are made', async () => {
  const tool_calls = [{ id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{}' } }];
  const choices = [{ index: 0, message: { content: 'I look', tool_calls }, finish_reason: 'tool_calls' }];
  const { fetch } = answerFrom(streamed(piece({ content: 'I look' }), { object: 'chat.completion', choices }));
  const { events } = await eventsOf(openai({ model: 'm', baseUrl: 'http://127.0.0.1:9/v1', fetch }));
  expect(events).toMatchObject([{ text: 'I look' }, { type: 'tool-call', call: tool_calls[0] }, { type: 'model-end' }]);
});

test('a call in both forms is one, and an empty field for calls is none', async () => {
  const called = { name: 'get_weather', arguments: '{"city":"Bern"}' };
  const typesIn = async (delta: object) => {
    const { fetch } = answerFrom(streamed(piece(delta, { finish_reason: 'stop' })));
    const { events } = await eventsOf(openai({ model: 'm', baseUrl: 'http://127.0.0.1:9/v1', fetch }));
    return events.map(({ type }) => type);
  };
  expect(await typesIn({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: called }], function_call: called })).toEqual([
    'tool-call',
    'model-end',
  ]);
  for (const empty of [{ function_call: {} }, { function_call: { name: '', arguments: '' } }, { tool_calls: {} }])
    expect(await typesIn({ content: 'Hi', ...empty })).toEqual(['text-delta', 'model-end']);
});

test('what was thought in a field of its own is not thought again between tags (MiniMax)', async () => {
  const answer = streamed(
    piece({ content: '<think>The user', reasoning_content: 'The user' }),
    piece({ content: ' greets</think>Hi', reasoning_content: ' greets' }),
    piece({ content: '!' }, { finish_reason: 'stop' }),
  );
  expect(await saidIn(answer)).toEqual([
    ['reasoning-delta', 'The user'],
    ['reasoning-delta', ' greets'],
    ['text-delta', 'Hi'],
    ['text-delta', '!'],
  ]);
});

test('an answer that comes whole instead of streamed is read all the same', async () => {
  const whole = {
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi', reasoning_content: 'hm' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 1 },
  };
  const { model, clock } = setUp([{ headers: { 'content-type': 'application/json; charset=utf-8' }, pieces: [JSON.stringify(whole)] }]);
  expect((await run(generate(model, request), clock)).value).toMatchObject({
    text: 'Hi',
    reasoning: 'hm',
    finish: 'stop',
    usage: { inputTokens: 9, outputTokens: 1 },
  });
});

const STREAMED = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
test.each([
  ['a stream that is called JSON', 'application/json', STREAMED],
  ['JSON that is called a stream', 'text/event-stream', '\n{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}'],
  ['JSON that is called text', 'text/plain', '\ufeff {"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}'],
  ['a stream with empty beats of the heart', 'text/event-stream', `event: ping\ndata: ping\n\ndata: null\n\n${STREAMED}`],
])('%s is read as what it is', async (_title, type, body) => {
  const bytes = new TextEncoder().encode(body);
  for (const pieces of [[bytes], Array.from(bytes, (byte) => Uint8Array.of(byte))]) {
    const { model, clock } = setUp([{ headers: { 'content-type': type }, pieces }]);
    expect((await run(generate(model, request), clock)).value).toMatchObject({ text: 'Hi', finish: 'stop' });
  }
});

test('an empty refusal is none', async () => {
  const { model, clock } = setUp([{ pieces: ['data: {"choices":[{"delta":{"content":"Hi","refusal":""},"finish_reason":"stop"}]}\n\n'] }]);
  expect((await run(generate(model, request), clock)).value).toMatchObject({ text: 'Hi', finish: 'stop' });
});

test('a page instead of an answer is a wrong address, and no reason to ask again', async () => {
  const { model, clock, sent } = setUp([{ headers: { 'content-type': 'text/html' }, pieces: ['<!DOCTYPE html><p>Welcome</p>'] }]);
  expect((await run(generate(model, request), clock)).thrown).toMatchObject({ code: 'model_not_found', retryable: false });
  expect(sent).toHaveLength(1);
});

test.each([
  ['xAI', { prompt_tokens: 12, completion_tokens: 1, total_tokens: 399, completion_tokens_details: { reasoning_tokens: 386 } }, 387],
  ['Gemini', { prompt_tokens: 20, completion_tokens: 424, total_tokens: 1016 }, 996],
  [
    'a proxy for Gemini',
    { prompt_tokens: 21, completion_tokens: 0, total_tokens: 81, completion_tokens_details: { reasoning_tokens: 60 } },
    60,
  ],
  ['OpenAI', { prompt_tokens: 20, completion_tokens: 90, total_tokens: 110, completion_tokens_details: { reasoning_tokens: 64 } }, 90],
  ['one without a total', { prompt_tokens: 20, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 64 } }, 66],
  [
    'one whose total has cached input',
    { prompt_tokens: 20, completion_tokens: 9, total_tokens: 93, prompt_tokens_details: { cached_tokens: 64 } },
    9,
  ],
  [
    'one whose total has input that went into a cache',
    {
      prompt_tokens: 20,
      completion_tokens: 9,
      total_tokens: 93,
      cache_creation_input_tokens: 64,
      prompt_tokens_details: { cached_tokens: 0 },
    },
    9,
  ],
  ['one that did not count its input', { prompt_tokens: 0, completion_tokens: 9, total_tokens: 93 }, 9],
])('the output of %s has what was thought', async (_who, usage, outputTokens) => {
  const answer = {
    pieces: [`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }], usage })}\n\n`],
  };
  const { fetch } = answerFrom(answer);
  const { events } = await eventsOf(openai({ model: 'm', baseUrl: 'http://127.0.0.1:9/v1', fetch }));
  expect(events.at(-1)).toMatchObject({ type: 'model-end', usage: { outputTokens } });
});

test('counts are read where an endpoint puts them, and zeros at the end take nothing away (Moonshot, Groq)', async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 1 };
  const choice = { index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' };
  for (const data of [
    [{ choices: [{ ...choice, usage }] }],
    [{ choices: [choice], x_groq: { usage } }],
    [{ choices: [choice], usage: { input_tokens: 9, output_tokens: 1 } }],
    [
      { choices: [choice], usage },
      { choices: [], usage: { prompt_tokens: 0, completion_tokens: 0 } },
    ],
  ]) {
    const { model, clock } = setUp([{ pieces: data.map((one) => `data: ${JSON.stringify(one)}\n\n`) }]);
    expect((await run(generate(model, request), clock)).value).toMatchObject({ usage: { inputTokens: 9, outputTokens: 1 } });
  }
});

test.each([
  ['stop', 'tool-calls', undefined],
  ['', 'tool-calls', undefined],
  [null, 'tool-calls', undefined],
  ['eos', 'tool-calls', undefined],
  ['length', 'length', /cut off/],
  ['content_filter', 'refused', /stopped/],
])('with a complete call and the reason %j the end is %s', async (reason, finish, problem) => {
  const chunk = {
    choices: [
      { delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'list_cities', arguments: '{}' } }] }, finish_reason: reason },
    ],
  };
  const { model, clock } = setUp([{ pieces: [`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`] }]);
  const { value } = await run(generate(model, request), clock);
  expect(value?.finish).toBe(finish);
  expect(value?.calls[0]?.unparseable).toEqual(problem === undefined ? undefined : expect.stringMatching(problem));
});

test('a call whose arguments break off is reported, whatever the reason says (FR-206)', async () => {
  const chunk = {
    choices: [
      {
        delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'get_time', arguments: '{"zone": "Eu' } }] },
        finish_reason: 'tool_calls',
      },
    ],
  };
  const { model, clock } = setUp([{ pieces: [`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`] }]);
  const { value } = await run(generate(model, request), clock);
  expect(value).toMatchObject({ finish: 'tool-calls', calls: [{ id: 'a', unparseable: expect.stringContaining('not valid JSON') }] });
});

test('a complete answer without a reason to end is accepted once (FR-209)', async () => {
  const { model, sent, clock } = setUp([
    {
      pieces: [
        'data: {"choices":[{"delta":{"content":"All of it."}}]}\n\ndata: {"choices":[],"usage":{"prompt_tokens":4}}\n\ndata: [DONE]\n\n',
      ],
    },
  ]);
  expect((await run(generate(model, request), clock)).value).toMatchObject({ text: 'All of it.', finish: 'stop' });
  expect(sent).toHaveLength(1);
});

test('keys and headers of the environment stay at home', async () => {
  const before = { ...process.env };
  Object.assign(process.env, {
    OPENAI_API_KEY: 'sk-env',
    OPENAI_ORG_ID: 'org-env',
    OPENAI_CUSTOM_HEADERS: 'X-Secret: s',
    OPENAI_ADMIN_KEY: 'adm',
  });
  try {
    const { model, sent, clock } = setUp([hello], { baseUrl: 'https://other.example/v1', apiKey: 'given', headers: { 'x-mine': '1' } });
    await run(generate(model, request), clock);
    expect(sent[0]?.url).toBe('https://other.example/v1/chat/completions');
    expect(sent[0]?.headers).toEqual({
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      authorization: 'Bearer given',
      'x-mine': '1',
    });
  } finally {
    for (const name of ['OPENAI_API_KEY', 'OPENAI_ORG_ID', 'OPENAI_CUSTOM_HEADERS', 'OPENAI_ADMIN_KEY']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
});

test('reasoning goes back with the calls it led to, where the row wants it, and survives no restart', async () => {
  const answers = [{ pieces: [fixture('deepseek.sse')] }, hello];
  const first = setUp(answers, { provider: 'deepseek' });
  const { value } = await run(generate(first.model, request), first.clock);
  const next = {
    ...request,
    messages: [...request.messages, value!.message, { role: 'tool' as const, content: 'sunny', tool_call_id: 'call_0_5e2d' }],
  };
  await run(generate(first.model, next), first.clock);
  expect(first.sent[1]?.body['messages']).toEqual(
    expect.arrayContaining([expect.objectContaining({ role: 'assistant', content: 'I look it up.', reasoning_content: 'Need the tool.' })]),
  );
  const other = setUp([hello], { provider: 'deepseek' });
  await run(generate(other.model, next), other.clock);
  expect(JSON.stringify(other.sent[0]?.body)).not.toContain('reasoning_content');
});

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const callOf = (id: string, beside: object = {}) => ({
  tool_calls: [{ index: 0, id, type: 'function', ...beside, function: { name: 'get_weather', arguments: '{"city":"Bern"}' } }],
});
/** Answers with calls, gives their results and returns the assistant's message as it goes back. */
async function sentBack(provider: string, pieces: readonly string[], ...further: readonly FakeAnswer[]) {
  const { model, clock, sent } = setUp([{ pieces }, ...further, hello], { provider, retries: 0 });
  const { value } = await run(generate(model, request), clock);
  const message = value!.message;
  const results = (message.tool_calls ?? []).map(({ id }) => ({ role: 'tool' as const, content: 'sunny', tool_call_id: id }));
  const { thrown } = await run(generate(model, { ...request, messages: [...request.messages, message, ...results] }), clock);
  const messages = sent.at(-1)?.body['messages'] as { role: string; tool_calls?: object[]; tool_call_id?: string }[];
  return { message: messages.find(({ role }) => role === 'assistant'), result: messages.at(-1), requests: sent.length, thrown };
}

test('what stands beside a call goes back with it: Gemini refuses calls without their signature', async () => {
  const signature = { extra_content: { google: { thought_signature: 'c2ln' } } };
  const second = { index: 1, id: 'f-2', type: 'function', function: { name: 'get_time', arguments: '{"zone":"x"}' } };
  const { message } = await sentBack('gemini', [chunk(callOf('f-1', signature)), chunk({ tool_calls: [second] }, 'tool_calls')]);
  expect(message?.tool_calls).toMatchObject([{ id: 'f-1', ...signature }, { id: 'f-2' }]);
  expect(message?.tool_calls?.[1]).not.toHaveProperty('extra_content');
});

test('calls of another client go to Gemini with the mark that it takes in place of a signature, once it asked', async () => {
  const error = { code: 400, message: 'Function call is missing a thought_signature in functionCall parts.', status: 'INVALID_ARGUMENT' };
  const answer = await sentBack('gemini', [chunk(callOf('f-1'), 'tool_calls')], { ...refusal(400), pieces: [JSON.stringify([{ error }])] });
  expect(answer).toMatchObject({ thrown: undefined, requests: 3 });
  expect(answer.message?.tool_calls).toMatchObject([
    { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } },
  ]);
});

test('OpenRouter gets its reasoning blocks back, put together from their pieces', async () => {
  const detail = (fields: object) => ({ reasoning_details: [{ type: 'reasoning.text', index: 0, ...fields }] });
  const { message } = await sentBack('openrouter', [
    chunk({ reasoning: 'Let ', ...detail({ text: 'Let ', format: 'anthropic-claude-v1' }) }),
    chunk({ reasoning: 'me.', ...detail({ text: 'me.', format: null }) }),
    chunk(detail({ signature: 'c2ln' })),
    chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', id: 'r', index: 1 }] }),
    chunk(callOf('c-1'), 'tool_calls'),
  ]);
  expect(message).toMatchObject({
    reasoning_details: [
      { type: 'reasoning.text', index: 0, text: 'Let me.', format: 'anthropic-claude-v1', signature: 'c2ln' },
      { type: 'reasoning.encrypted', data: 'x', id: 'r', index: 1 },
    ],
  });
  expect(message).not.toHaveProperty('reasoning_content');
});

test('an endpoint that asks for reasoning gets it, and one that refuses it does not (Moonshot, DeepSeek)', async () => {
  const pieces = [chunk({ reasoning_content: 'hm' }), chunk(callOf('c-1'), 'tool_calls')];
  const missing = refusal(400, {}, { message: 'reasoning_content is missing in assistant tool call message at index 2' });
  expect((await sentBack('unknown', pieces, missing)).message).toMatchObject({ reasoning_content: 'hm' });
  const extra = refusal(422, {}, { message: 'body.messages.2.reasoning_content: Extra inputs are not permitted' });
  expect((await sentBack('deepseek', pieces, extra)).message).not.toHaveProperty('reasoning_content');
});

test('a tool is known under the name that a template put marks around', async () => {
  for (const name of ['get_weather<|channel|>commentary', 'functions.get_weather', ' get_weather ', 'default_api:get_weather']) {
    const pieces = [chunk({ tool_calls: [{ index: 0, id: 'c', function: { name, arguments: '{"city":"Bern"}' } }] }, 'tool_calls')];
    const { model, clock } = setUp([{ pieces }]);
    expect((await run(generate(model, request), clock)).value?.calls).toMatchObject([{ function: { name: 'get_weather' } }]);
  }
  const { model, clock } = setUp([
    { pieces: [chunk({ tool_calls: [{ id: 'c', function: { name: 'my.tool', arguments: '{}' } }] }, 'stop')] },
  ]);
  expect((await run(generate(model, request), clock)).value?.calls).toMatchObject([{ function: { name: 'my.tool' } }]);
});

test('a long id goes back as it came to the endpoint that made it (LiteLLM keeps a signature in it)', async () => {
  const id = `call_1__thought__${'A'.repeat(200)}`;
  const { message, result } = await sentBack('unknown', [chunk(callOf(id), 'tool_calls')]);
  expect([message?.tool_calls, result?.tool_call_id]).toMatchObject([[{ id }], id]);
});

test('what Gemini marks as thought is no text', async () => {
  const extra_content = { google: { thought: true } };
  for (const [first, second] of [
    ['<thought>Plan', ' it.</thought>'],
    ['Plan', ' it.'],
  ]) {
    const pieces = [
      chunk({ content: first, extra_content }),
      chunk({ content: second, extra_content }),
      chunk({ content: 'Hello' }, 'stop'),
    ];
    const { model, clock } = setUp([{ pieces }], { provider: 'gemini' });
    expect((await run(generate(model, request), clock)).value).toMatchObject({ text: 'Hello', reasoning: 'Plan it.' });
  }
});

test.each([
  ['model', { model: ' ' }],
  ['retries', { retries: -1 }],
  ['retries', { retries: 1.5 }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['idleTimeoutMs', { idleTimeoutMs: Number.NaN }],
  ['maxRetryAfterMs', { maxRetryAfterMs: -1 }],
])('%s out of range is refused at once', (name, options) => {
  expect(() => openai({ model: 'm', apiKey: 'k', ...options })).toThrow(
    expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining(name) }),
  );
});

let unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
process.on('unhandledRejection', onUnhandled);
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  const found = unhandled;
  unhandled = [];
  expect(found).toEqual([]);
});

test('a fetch that ignores its signal, and a body that does, hold nobody past a limit or an abort', async () => {
  const stuck = { headers: new Headers(), status: 200, ok: true, body: { getReader: () => ({ read: never, cancel: async () => {} }) } };
  for (const fetch of [never, async () => stuck]) {
    const silent = setUp([], { fetch, retries: 0, idleTimeoutMs: 5_000 });
    const { thrown, tookMs } = await run(generate(silent.model, request), silent.clock);
    expect([thrown, tookMs]).toEqual([expect.objectContaining({ code: 'model_timeout' }), 5_000]);
    const { model } = setUp([], { fetch });
    const stop = new AbortController();
    const asked = generate(model, request, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 20);
    await expect(asked).rejects.toThrow('enough');
  }
});

test('an answer that comes after its request was given up is let go', async () => {
  let answer!: (response: unknown) => void;
  let cancelled = 0;
  const fetch = () =>
    new Promise<unknown>((resolve) => {
      answer = resolve;
    });
  const { model, clock } = setUp([], { fetch, retries: 0, idleTimeoutMs: 5_000 });
  await run(generate(model, request), clock);
  const reader = {
    read: async () => ({ done: true }),
    cancel: async () => {
      cancelled += 1;
    },
  };
  answer({ headers: new Headers(), status: 200, ok: true, body: { getReader: () => reader } });
  await new Promise((resolve) => setImmediate(resolve));
  expect(cancelled).toBe(1);
});

test('a reader who leaves at the last event keeps the connection: the rest is read, nothing is cancelled', async () => {
  const pieces = ['data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\n', 'data: [DONE]\n\n', undefined];
  let cancelled = 0;
  let isSent = false;
  let wire: AbortSignal | undefined;
  const reader = {
    async read() {
      const piece = pieces.shift();
      isSent = piece === undefined;
      return piece === undefined ? { done: true } : { done: false, value: new TextEncoder().encode(piece) };
    },
    async cancel() {
      cancelled += 1;
    },
  };
  const fetch = async (_url: unknown, { signal }: { readonly signal: AbortSignal }) => {
    wire = signal;
    return { headers: new Headers(), status: 200, ok: true, body: { getReader: () => reader } };
  };
  const { model } = setUp([], { fetch: fetch as unknown as typeof globalThis.fetch });
  for await (const event of model.stream(request, { signal: new AbortController().signal })) if (event.type === 'model-end') break;
  await new Promise((resolve) => setImmediate(resolve));
  expect({ isSent, cancelled, aborted: wire?.aborted }).toEqual({ isSent: true, cancelled: 0, aborted: false });
});

test('what cannot be made ready is an error with a code', async () => {
  const broken = new TypeError('no crypto here');
  const describe = () => ({
    ...patience,
    where: 'x/m',
    prepare: () => Promise.reject(broken),
    send: never,
    createReader: never,
    adapt: () => false,
  });
  const stream = askEndpoint(describe as never, new AbortController().signal);
  await expect(stream.next()).rejects.toMatchObject({ code: 'client_failed', retryable: false, cause: broken });
});
