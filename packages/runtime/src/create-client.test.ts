import {
  type ChatMessage,
  createMemoryStore,
  type IAgentStore,
  type IConversationStore,
  type ITool,
  laneKey,
  pending,
  SUMMARY_OPENING,
} from '@x/core';
import { createScriptedModel, type Script } from '@x/testkit';
import { expect, test } from 'vitest';
import type { ClientEvent, ClientOptions } from './client-types.js';
import { createClient } from './create-client.js';
import { createToolkit } from './create-toolkit.js';

const echo: ITool<{ text: string }> = {
  name: 'echo',
  description: '',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  execute: ({ text }) => text,
};
const callEcho = (text: string) => ({ toolCalls: [{ name: 'echo', arguments: { text } }] });

async function setUp(script: Script, options: Partial<ClientOptions> = {}) {
  const model = createScriptedModel(script);
  const toolkit = await createToolkit({ builtins: false, tools: [echo as ITool] });
  return { model, toolkit, client: createClient({ model, systemPrompt: 'You are Ava.', ...options }) };
}

test('what is no text is refused before anything is asked, and the conversation goes on', async () => {
  const { client, model } = await setUp(['one']);
  for (const prompt of [undefined, null, 42, {}] as never[]) {
    await expect(client.ask(prompt, { id: 'ada' })).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(client.run(prompt)).rejects.toMatchObject({ code: 'invalid_argument' });
  }
  expect((await client.ask('Hi', { id: 'ada' })).text).toBe('one');
  expect(model.requests).toHaveLength(1);
});

test('limits that are no numbers are refused before anything is asked', async () => {
  for (const options of [
    { maxTurns: Number.NaN },
    { maxTurns: -1 },
    { budgets: { maxToolCalls: Number.NaN } },
    { budgets: { maxTokens: '9' as never } },
  ]) {
    const { client, model } = await setUp(['one'], options);
    await expect(client.ask('Hi')).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(model.requests).toHaveLength(0);
  }
});

test('ask with an id remembers, without one it does not', async () => {
  const { client, model } = await setUp(['one', 'two', 'three']);
  await client.ask('first', { id: 'ada' });
  const second = await client.ask('second', { id: 'ada' });
  await client.ask('third');
  expect(second.messages.map((message) => message.content)).toEqual(['first', 'one', 'second', 'two']);
  expect(model.requests.map((request) => request.messages.length)).toEqual([2, 4, 2]);
});

test('a run has the shape of the seed, and its history is what it was given', async () => {
  const { client, toolkit, model } = await setUp([
    { ...callEcho('hi'), usage: { inputTokens: 10, outputTokens: 2 } },
    { text: 'ok', usage: { inputTokens: 20, outputTokens: 3 } },
  ]);
  const history: ChatMessage[] = [
    { role: 'system', content: 'an old prompt' },
    { role: 'user', content: 'before' },
    { role: 'assistant', content: 'yes' },
  ];
  const result = await client.run('say hi', { toolkit, history });
  expect(result).toMatchObject({
    text: 'ok',
    status: 'done',
    turns: 2,
    toolCallCount: 1,
    toolCalls: [{ name: 'echo', args: { text: 'hi' }, output: 'hi', isError: false }],
    usage: { promptTokens: 30, completionTokens: 5, totalTokens: 35 },
    model: 'scripted',
  });
  expect(model.requests[0]!.messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(String(model.requests[0]!.messages[0]!.content)).toContain('You are Ava.');
});

test('a summary that another system left as a system message is part of a run', async () => {
  const { client, model } = await setUp([{ text: 'ok' }]);
  const summary = `${SUMMARY_OPENING} We spoke of trees.`;
  const history: ChatMessage[] = [
    { role: 'system', content: 'an old prompt' },
    { role: 'system', content: summary },
    { role: 'assistant', content: 'yes' },
  ];
  await client.run('say hi', { history });
  const sent = model.requests[0]!.messages.slice(1).map(({ role, content }) => [role, content]);
  expect(sent).toEqual([
    ['user', summary],
    ['assistant', 'yes'],
    ['user', 'say hi'],
  ]);
});

test('a stream tells calls, results and text, then usage and the result', async () => {
  const { client, toolkit } = await setUp([callEcho('hi'), { text: ['do', 'ne'] }]);
  const events: ClientEvent[] = [];
  for await (const event of client.stream('go', { toolkit, id: 's' })) events.push(event);
  expect(events.map((event) => event.type)).toEqual(['tool_call', 'tool_result', 'text', 'text', 'usage', 'done']);
  const texts: string[] = [];
  const again = await setUp([{ text: ['do', 'ne'] }]);
  await again.client.ask('go', { onText: (text) => texts.push(text) });
  expect(texts).toEqual(['do', 'ne']);
});

test('the turn cap says so, and never gives an old answer', async () => {
  const { client, toolkit } = await setUp(['OLD ANSWER', callEcho('a'), callEcho('b')], { maxTurns: 2 });
  await client.ask('first', { id: 'x', toolkit });
  const capped = await client.ask('second', { id: 'x', toolkit });
  expect(capped).toMatchObject({ status: 'incomplete', limit: 'maxTurns', turns: 2, text: 'hit maxTurns without a final answer' });
});

test('a host keeps transcripts with get and save alone, and a stored system prompt stays theirs and is not sent', async () => {
  const saved = new Map<string, readonly ChatMessage[]>([
    [
      'ada',
      [
        { role: 'system', content: 'STALE' },
        { role: 'user', content: 'before' },
      ],
    ],
  ]);
  const calls: string[] = [];
  const store: IConversationStore = {
    async get(id) {
      calls.push(`get ${id}`);
      return saved.get(id);
    },
    async save(id, messages) {
      calls.push(`save ${id}`);
      saved.set(id, messages);
    },
  };
  const { client, model } = await setUp(['hello'], { store });
  await client.ask('hi', { id: 'ada' });
  expect(calls).toEqual(['get ada', 'save ada']);
  expect(saved.get('ada')!.map((message) => message.content)).toEqual(['STALE', 'before', 'hi', 'hello']);
  expect(JSON.stringify(model.requests[0])).not.toContain('STALE');
});

test('two asks at once under one id both survive', async () => {
  const { client } = await setUp(['a', 'b', 'c']);
  await Promise.all(['1', '2', '3'].map((text) => client.ask(text, { id: 'x' })));
  const { messages } = await (await client.session('x')).history().then((history) => ({ messages: history }));
  expect(messages.map((message) => message.content)).toEqual(['1', 'a', '2', 'b', '3', 'c']);
});

test('waitFor answers a question at once; without it the run is pending and resumes by its id', async () => {
  const ask: ITool = {
    name: 'ask',
    description: '',
    inputSchema: {},
    execute: (_args, { answer }) => (answer ? `said ${String(answer.value)}` : pending({ id: 'q', kind: 'question', prompt: 'Which?' })),
  };
  const toolkit = await createToolkit({ builtins: false, tools: [ask] });
  const script = [{ toolCalls: [{ name: 'ask' }] }, 'Thanks.'];
  const at = await setUp(script, { waitFor: (request) => ({ id: request.id, ok: true, value: 'red' }) });
  const result = await at.client.ask('go', { toolkit });
  expect([result.status, result.toolCalls[0]!.output, result.turns]).toEqual(['done', 'said red', 2]);
  const later = await setUp(script);
  expect(await later.client.ask('go', { toolkit, id: 'x' })).toMatchObject({ status: 'pending', text: 'Which?', pending: { id: 'q' } });
  expect(await later.client.resume({ id: 'q', ok: false }, { id: 'x', toolkit })).toMatchObject({
    status: 'done',
    toolCalls: [{ output: 'declined: Which?', isError: true }],
  });
});

test('a conversation goes on until it is reset', async () => {
  const { client, model } = await setUp(['a', 'b', 'c']);
  const talk = client.conversation();
  await talk.send('1');
  await talk.send('2');
  expect(talk.messages).toHaveLength(4);
  talk.reset();
  await talk.send('3');
  expect(model.requests.map((request) => request.messages.length)).toEqual([2, 4, 2]);
});

test('more conversations than are kept open: the idle ones make room, running ones go on, and one that closes is waited for', async () => {
  let go!: () => void;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const inner = createMemoryStore();
  const lanes = new Map<string, number>();
  const store: IAgentStore = {
    open(scope, options) {
      const key = laneKey(scope);
      lanes.set(key, (lanes.get(key) ?? 0) + 1);
      return inner.open(scope, options);
    },
  };
  const model = createScriptedModel(async ({ messages }) => {
    if (messages.at(-1)?.content === 'slow') await gate;
    return 'ok';
  });
  const client = createClient({ model, store });
  const slow = client.ask('slow', { id: 'first' });
  for (let index = 0; index < 260; index += 1) await client.ask('quick', { id: `c${index}` });
  const queued = client.ask('more', { id: 'first' });
  go();
  expect([(await slow).status, (await queued).status]).toEqual(['done', 'done']);
  expect((await queued).messages.map((message) => message.content)).toEqual(['slow', 'ok', 'more', 'ok']);
  expect(lanes.get(laneKey({ persona: 'client', user: 'local', session: 'first' }))).toBe(1);
  expect((await client.ask('again', { id: 'c0' })).messages).toHaveLength(4);
  await client.close();
});

test('a store that fails once fails one ask', async () => {
  let failures = 1;
  const inner = createMemoryStore();
  const store: IAgentStore = {
    async open(scope, options) {
      if (failures-- > 0) throw new Error('disk away');
      return inner.open(scope, options);
    },
  };
  const client = createClient({ model: createScriptedModel(['ok']), store });
  await expect(client.ask('hi', { id: 'x' })).rejects.toThrow('disk away');
  expect((await client.ask('hi', { id: 'x' })).text).toBe('ok');
});

test('a conversation that starts over while an answer is on its way stays empty', async () => {
  const { client } = await setUp(['old answer', 'new answer']);
  const talk = client.conversation();
  const first = talk.send('old question');
  talk.reset();
  await first;
  expect(talk.messages).toEqual([]);
  await talk.send('new question');
  expect(talk.messages.map(({ content }) => content)).toEqual(['new question', 'new answer']);
});
