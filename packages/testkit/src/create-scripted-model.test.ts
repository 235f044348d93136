import { generate, type ModelEvent, type ModelRequest } from '@x/core';
import { expect, test } from 'vitest';
import { createScriptedModel } from './create-scripted-model.js';

const hello: ModelRequest = { messages: [{ role: 'user', content: 'Hello' }], tools: [] };

async function collect(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
const signal = new AbortController().signal;

test('a reply streams as reasoning, text, calls and one end', async () => {
  const model = createScriptedModel([
    {
      reasoning: 'easy sum',
      text: 'I add them.',
      toolCalls: [
        { name: 'add', arguments: { a: 1 } },
        { name: 'add', id: 'mine' },
      ],
      usage: { inputTokens: 9 },
    },
  ]);
  expect(await collect(model.stream(hello, { signal }))).toEqual([
    { type: 'reasoning-delta', text: 'easy' },
    { type: 'reasoning-delta', text: ' sum' },
    { type: 'text-delta', text: 'I' },
    { type: 'text-delta', text: ' add' },
    { type: 'text-delta', text: ' them.' },
    { type: 'tool-call', call: { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } } },
    { type: 'tool-call', call: { id: 'mine', type: 'function', function: { name: 'add', arguments: '{}' } } },
    { type: 'model-end', finish: 'tool-calls', usage: { inputTokens: 9 } },
  ]);
});

test('a function in the script sees the request and its number', async () => {
  const model = createScriptedModel((request, { index }) => `${index}: ${String(request.messages[0]?.content)}`);
  expect((await generate(model, hello)).text).toBe('0: Hello');
  expect((await generate(model, hello)).text).toBe('1: Hello');
});

test('requests are recorded as they were, and an estimate stands for usage', async () => {
  const model = createScriptedModel(['Hi', 'Hi again']);
  const messages = [{ role: 'user' as const, content: 'one' }];
  const { usage } = await generate(model, { messages, tools: [] });
  messages.push({ role: 'user', content: 'two' });
  await generate(model, { messages, tools: [] });
  expect(model.requests.map((request) => request.messages.length)).toEqual([1, 2]);
  expect(usage.inputTokens).toBeGreaterThan(0);
  expect(usage.outputTokens).toBe(1);
});

test('a script that is at its end throws, or repeats its last item when asked to', async () => {
  await expect(generate(createScriptedModel([]), hello)).rejects.toMatchObject({ code: 'script_exhausted', retryable: false });
  const repeating = createScriptedModel(['same'], { atEnd: 'repeat' });
  expect([(await generate(repeating, hello)).text, (await generate(repeating, hello)).text]).toEqual(['same', 'same']);
});

test('an error comes after the text that was sent before it', async () => {
  const failure = new Error('the line broke');
  const model = createScriptedModel([{ text: ['par', 'tial'], error: failure }]);
  const seen: ModelEvent[] = [];
  const read = (async () => {
    for await (const event of model.stream(hello, { signal })) seen.push(event);
  })();
  await expect(read).rejects.toBe(failure);
  expect(seen).toEqual([
    { type: 'text-delta', text: 'par' },
    { type: 'text-delta', text: 'tial' },
  ]);
});

test('an abort ends a hanging reply with its own reason', async () => {
  const controller = new AbortController();
  const reply = generate(createScriptedModel([{ hang: true }]), hello, { signal: controller.signal });
  controller.abort('enough');
  await expect(reply).rejects.toBe('enough');
});

test('arguments that are not JSON are marked', async () => {
  const { calls } = await generate(createScriptedModel([{ toolCalls: [{ name: 'add', arguments: '{"a": 1' }] }]), hello);
  expect(calls[0]?.unparseable).toMatch(/JSON/);
  expect(calls[0]?.function.arguments).toBe('{"a": 1');
});
