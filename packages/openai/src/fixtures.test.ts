import type { IChatModel, ModelEvent } from '@x/core';
import { createVirtualClock } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { answerFrom, eventsOf, fixture, fixtures, request } from './answer-from.test-helper.js';
import { anthropic } from './anthropic/index.js';
import { createAnthropicReader } from './anthropic/read-anthropic-answer.js';
import { askEndpoint } from './ask-endpoint.js';
import { patienceOf } from './client-options.js';
import { openai } from './openai.js';
import { providerRow } from './provider-rows.js';
import { createOpenAIReader } from './read-openai-answer.js';

const text = (value: string): ModelEvent => ({ type: 'text-delta', text: value });
const thought = (value: string): ModelEvent => ({ type: 'reasoning-delta', text: value });
const call = (id: string, name: string, args: string): ModelEvent => ({
  type: 'tool-call',
  call: { id, type: 'function', function: { name, arguments: args } },
});
const end = (finish: 'stop' | 'tool-calls', inputTokens?: number, outputTokens?: number, cachedTokens?: number): ModelEvent => ({
  type: 'model-end',
  finish,
  usage: {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cachedTokens !== undefined && { cachedTokens }),
  },
});
const generated = expect.stringMatching(/^call-\w{12}$/) as unknown as string;
const ZURICH = '{"city":"Zürich"}';

/** Each sample, the provider whose row reads it, and what it says. */
const SAMPLES: readonly (readonly [file: string, provider: string, events: readonly ModelEvent[]])[] = [
  [
    'openai.sse',
    'openai',
    [
      call('call_Q8xTn2mVhJ4a', 'get_weather', ZURICH),
      call('call_7Lw0ZcGkPq2b', 'get_time', '{"zone":"Europe/Zurich"}'),
      end('tool-calls', 143, 41, 128),
    ],
  ],
  ['openai-text.sse', 'openai', [text('Grüße'), text(' 🌍,'), text(' 你好'), text('.'), end('stop', 21, 9, 0)]],
  [
    'gemini.sse',
    'gemini',
    [
      text('Let me look.'),
      call(generated, 'get_weather', ZURICH),
      call(generated, 'get_time', '{"zone":"Europe/Zurich"}'),
      end('tool-calls', 96, 31),
    ],
  ],
  [
    'ollama.sse',
    'ollama',
    [thought('The user wants'), thought(' the weather.'), call('call_9f2k1s0d', 'get_weather', ZURICH), end('tool-calls')],
  ],
  [
    'vllm.sse',
    'vllm',
    [
      thought('Weather,'),
      thought(' so a call.'),
      call('chatcmpl-tool-5d0e61b9', 'get_weather', '{"city": "Zürich"}'),
      end('tool-calls', 211, 37),
    ],
  ],
  ['openrouter.sse', 'openrouter', [thought('Sum'), call('call_aa31', 'get_weather', ZURICH), end('tool-calls', 120, 22, 64)]],
  [
    'deepseek.sse',
    'deepseek',
    [
      thought('Need'),
      thought(' the tool.'),
      text('I look it up.'),
      call('call_0_5e2d', 'get_weather', ZURICH),
      end('tool-calls', 180, 55, 128),
    ],
  ],
  [
    'mistral.sse',
    'mistral',
    [thought('A call it is.'), text('One moment.'), call('D681PevKs', 'get_weather', '{"city": "Zürich"}'), end('tool-calls', 94, 26)],
  ],
  ['llama.cpp.sse', 'llama.cpp', [call('0HqT5yJwKzLmNp8RsVbXcDfGhJkQwErT', 'get_weather', ZURICH), end('tool-calls', 152, 19)]],
  ['unknown.sse', 'unknown', [text('Checking.'), call(generated, 'get_weather', ZURICH), end('tool-calls')]],
  [
    'anthropic.sse',
    'anthropic',
    [
      thought('The city'),
      thought(' is known.'),
      text('I look'),
      text(' it up. 🌦'),
      call('toolu_01Ab', 'get_weather', '{"city": "Zürich"}'),
      call('toolu_01Cd', 'list_cities', '{}'),
      end('tool-calls', 1574, 89, 1536),
    ],
  ],
];

const modelFor = (provider: string, answer: ReturnType<typeof answerFrom>): IChatModel => {
  const options = { model: 'm', apiKey: 'k', retries: 0, random: () => 0.5, fetch: answer.fetch };
  return provider === 'anthropic' ? anthropic(options) : openai({ ...options, provider });
};

// Without the client library and HTTP, since there are thousands of cuts; the library only fetches.
async function readPieces(provider: string, pieces: readonly Uint8Array[], isBroken = false) {
  const row = providerRow(provider);
  const common = {
    where: 'test/m',
    bounds: { isAsLongAs: (bytes: number) => bytes <= 10_000, hasMedia: () => false },
    createId: () => 'call-000000000000',
    needsArguments: (name: string) => name !== 'list_cities',
    known: new Set<string>(),
    remember: () => undefined,
  };
  const left = [...pieces];
  const body = {
    getReader: () => ({
      async read() {
        const value = left.shift();
        if (value === undefined && isBroken) throw new TypeError('terminated');
        return value === undefined ? { done: true } : { done: false, value };
      },
      cancel: async () => undefined,
    }),
  };
  const stream = (_request: unknown, { signal }: { signal: AbortSignal }) =>
    askEndpoint(
      () => ({
        ...patienceOf({ model: 'm', retries: 0, clock: createVirtualClock() }),
        where: 'test/m',
        prepare: async () => undefined,
        send: async () => ({ headers: { get: () => 'text/event-stream' }, body }),
        createReader: () => (provider === 'anthropic' ? createAnthropicReader(common) : createOpenAIReader({ ...common, wire: row.wire })),
        adapt: () => false,
      }),
      signal,
    );
  return eventsOf({ modelId: 'm', providerId: provider, capabilities: row.capabilities, stream });
}

/** Every twenty-third cut here; `npm run proof openai` takes each of them, through the client library. */
const STRIDE = 23;

describe.each(SAMPLES)('%s', (file, provider, expected) => {
  const bytes = fixture(file);

  test('says what it says, in one piece', async () => {
    // The sample may count more tokens than our short request has: a long one stands for it.
    const long = { ...request, messages: [{ role: 'system' as const, content: 'You help. '.repeat(200) }, ...request.messages.slice(1)] };
    const { events, thrown } = await eventsOf(modelFor(provider, answerFrom({ pieces: [bytes] })), long);
    expect(thrown).toBeUndefined();
    expect(events).toEqual(expected);
  });

  test('says the same, cut anywhere', async () => {
    const whole = await readPieces(provider, [bytes]);
    expect(whole.thrown).toBeUndefined();
    for (let at = 1; at < bytes.length; at += STRIDE) {
      const { events, thrown } = await readPieces(provider, [bytes.subarray(0, at), bytes.subarray(at)]);
      if (thrown !== undefined || JSON.stringify(events) !== JSON.stringify(whole.events))
        expect({ at, events, thrown }).toEqual({ at, ...whole });
    }
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await readPieces(provider, single)).toEqual(whole);
  });

  test('broken off anywhere, it yields a beginning of that and a typed error, or all of it', async () => {
    const whole = await readPieces(provider, [bytes]);
    const withoutEnd = (events: readonly ModelEvent[]) => events.filter((event) => event.type !== 'model-end');
    const seen = new Set<unknown>();
    for (const isBroken of [true, false]) {
      for (let at = 0; at < bytes.length; at += STRIDE) {
        const { events, thrown } = await readPieces(provider, [bytes.subarray(0, at)], isBroken);
        const code = (thrown as { code?: string } | undefined)?.code;
        seen.add(code);
        const expected = thrown === undefined ? withoutEnd(whole.events) : whole.events.slice(0, events.length);
        if (JSON.stringify(withoutEnd(events)) !== JSON.stringify(expected))
          expect({ at, isBroken, events }).toEqual({ at, isBroken, events: expected });
        if (thrown !== undefined && events.some((event) => event.type === 'tool-call'))
          expect({ at, events }).toBe('no call before the end is certain');
      }
    }
    seen.delete(undefined);
    expect([...seen].sort()).toEqual(['model_stream_cut', 'model_unavailable']);
  });
});

test('each sample says in its first line that it was written by hand, and after what', () => {
  const files = fixtures();
  expect(files.length).toBeGreaterThanOrEqual(SAMPLES.length);
  for (const file of files) {
    const [first] = new TextDecoder().decode(fixture(file)).split(/\r?\n/);
    expect(first, file).toMatch(/^: A sample written by hand, not recorded\. After: \S/);
  }
});

test('reasoning between tags is parted from the text, also when the tags are split', async () => {
  const { events } = await eventsOf(modelFor('vllm', answerFrom({ pieces: [fixture('vllm-think-tags.sse')] })));
  const joined = (type: 'text-delta' | 'reasoning-delta'): string =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  expect([joined('reasoning-delta'), joined('text-delta')]).toEqual(['A greeting.\n', 'Hello there']);
});

test.each([
  ['openrouter-error.sse', 'openrouter', 'The weather'],
  ['anthropic-error.sse', 'anthropic', 'Well'],
])('%s: an error after HTTP 200 is a typed error behind the text that came', async (file, provider, said) => {
  const { events, thrown } = await eventsOf(modelFor(provider, answerFrom({ pieces: [fixture(file)] })));
  expect(events).toEqual([text(said)]);
  expect(thrown).toMatchObject({ code: 'model_unavailable', retryable: true });
});
