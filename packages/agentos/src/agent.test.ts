import { createMemoryStore, type IAgentStore, type IChatModel } from '@x/core';
import type { TurnResult } from '@x/runtime';
import { createScriptedModel } from '@x/testkit';
import { expect, test } from 'vitest';
import { agency } from './agency.js';
import { type AgentConfig, agent } from './agent.js';

const echo = () =>
  createScriptedModel(({ messages }) => `${String(messages[0]?.content).slice(0, 12)}|${String(messages.at(-1)?.content)}`);
const build = (config: Partial<AgentConfig> = {}) => agent({ instructions: 'You are brief.', model: echo(), ...config });
const angry = 'This is terrible, I hate it and the app is useless.';

test('the light profile scores nothing; the full one does', async () => {
  const light = await build().session('a').send(angry);
  const full = build({ cognition: 'full' });
  expect(light.events).toEqual([]);
  expect((await full.session('a').send(angry)).events.map(({ eventType }) => eventType)).toEqual(['user_frustrated']);
});

test('named presets alone are merged', () => {
  const made = build({ cognition: { sentiment: true, metaprompts: ['frustration_recovery'] } });
  expect(made.gmi('a').persona.metaPrompts?.map(({ id }) => id)).toEqual(['gmi_frustration_recovery']);
});

test.each([
  ['an unknown profile', { cognition: 'heavy' }],
  ['an unknown preset', { cognition: { metaprompts: ['frustation'] } }],
  ['an unknown runtime', { runtime: 'other' }],
  ['no instructions', { instructions: ' ' }],
  ['no name', { name: '' }],
  ['a list as a profile', { cognition: [] }],
  ['one preset that is no list', { cognition: { metaprompts: 'all' } }],
  ['a voice', { voice: {} }],
  ['an avatar', { avatar: {} }],
  ['channels', { channels: [] }],
  ['a model that is none', { model: 5 }],
])('%s is refused at once', (_title, config) => {
  expect(() => build(config as Partial<AgentConfig>)).toThrow(expect.objectContaining({ code: 'configuration_invalid' }));
});

test('a session goes on, another is another, and generate remembers nothing', async () => {
  const model = echo();
  const made = build({ model });
  await made.session('a').send('one');
  await made.session('a').send('two');
  await made.session('b').send('three');
  await made.generate('four');
  expect(model.requests.map(({ messages }) => messages.filter(({ role }) => role === 'user').map(({ content }) => content))).toEqual([
    ['one'],
    ['one', 'two'],
    ['three'],
    ['four'],
  ]);
});

test('a stream gives words and then the result', async () => {
  const { textStream, result } = build().stream('hello');
  let text = '';
  for await (const word of textStream) text += word;
  expect([text, (await result).text]).toEqual(['You are brie|hello', 'You are brie|hello']);
});

test('a result that is awaited alone runs the turn, and its words are there for who comes late', async () => {
  const model = echo();
  const { textStream, result } = build({ model }).stream('hello');
  expect((await result).text).toBe('You are brie|hello');
  const words: string[] = [];
  for await (const word of textStream) words.push(word);
  expect([words.join(''), model.requests.length]).toEqual(['You are brie|hello', 1]);
});

test('words and result may be read at the same time, in either order', async () => {
  const read = async (stream: AsyncIterable<string>): Promise<string> => {
    let text = '';
    for await (const word of stream) text += word;
    return text;
  };
  const [first, second] = [build().session('a').stream('hello'), build().session('b').stream('hello')];
  const [result, text] = await Promise.all([first.result, read(first.textStream)]);
  const [text2, result2] = await Promise.all([read(second.textStream), second.result]);
  expect([result.text, text, text2, result2.text]).toEqual(Array(4).fill('You are brie|hello'));
});

test('who awaits the result of a turn that fails is told, and so is a late reader of its words', async () => {
  const { textStream, result } = build({ model: createScriptedModel([{ error: new Error('down') }]) }).stream('hello');
  await expect(result).rejects.toMatchObject({ code: 'model_failed' });
  await expect(
    (async () => {
      for await (const _ of textStream);
    })(),
  ).rejects.toMatchObject({ code: 'model_failed' });
});

test('a stream that is left early has no result and leaves nothing running', async () => {
  const made = build();
  const { textStream, result } = made.stream('hello');
  for await (const _ of textStream) break;
  await expect(result).rejects.toMatchObject({ code: 'reply_abandoned' });
  await made.shutdown();
});

test('words that are left while the result is awaited stop nothing', async () => {
  const { textStream, result } = build().stream('hello');
  let awaited: Promise<TurnResult> | undefined;
  for await (const _ of textStream) {
    awaited = result.then((all) => all);
    break;
  }
  expect((await awaited)?.text).toBe('You are brie|hello');
});

test('a result is a promise to whoever asks, and asking starts nothing', async () => {
  const model = echo();
  const { result } = build({ model }).stream('hello');
  expect([result instanceof Promise, model.requests.length]).toEqual([true, 0]);
  let ended = 0;
  expect((await result.finally(() => (ended += 1))).text).toBe('You are brie|hello');
  expect([ended, model.requests.length]).toEqual([1, 1]);
});

test('what answers once writes nothing into the store', async () => {
  const store = createMemoryStore();
  const opened: string[] = [];
  const watched: IAgentStore = {
    open(scope, options) {
      opened.push(JSON.stringify(scope));
      return store.open(scope, options);
    },
  };
  const made = build({ store: watched });
  await made.generate('one');
  for await (const _ of made.stream('two').textStream);
  expect(opened).toEqual([]);
  await made.session('a').send('three');
  expect(opened.length).toBeGreaterThan(0);
});

const roster = {
  writer: { instructions: 'Write poems about the sea.', model: echo() },
  checker: { instructions: 'Check invoices and numbers.', model: echo() },
};

test('sequential hands each reply on', async () => {
  const { text, replies } = await agency({ roster, strategy: 'sequential' }).generate('start');
  expect([text, replies.map(({ name }) => name)]).toEqual(['Check invoic|Write poems |start', ['writer', 'checker']]);
});

test('parallel asks all, and a synthesizer joins the replies', async () => {
  const all = await agency({ roster, strategy: 'parallel' }).generate('start');
  expect(all.text).toBe('writer: Write poems |start\n\nchecker: Check invoic|start');
  const joined = await agency({ roster, strategy: 'parallel', synthesizer: 'checker' }).generate('start');
  expect(joined.text).toContain('writer: Write poems |start');
});

test('parallel members stop when one of them fails', async () => {
  const slow = createScriptedModel(() => ({ text: 'so far', hang: true }));
  let stop: AbortSignal | undefined;
  const watched: IChatModel = {
    ...slow,
    stream(request, options) {
      stop = options?.signal;
      return slow.stream(request, options);
    },
  };
  const team = agency({
    roster: {
      good: { instructions: 'Good.', model: watched },
      bad: { instructions: 'Bad.', model: createScriptedModel(() => ({ error: new Error('no line') })) },
    },
    strategy: 'parallel',
  });
  await expect(team.generate('start')).rejects.toMatchObject({ cause: expect.objectContaining({ message: 'no line' }) });
  expect(stop?.aborted).toBe(true);
  await team.shutdown();
});

test('a router picks by words, or as the host says', async () => {
  expect((await agency({ roster, strategy: 'router' }).generate('Please check my invoices')).replies[0]?.name).toBe('checker');
  expect((await agency({ roster, strategy: 'router', route: () => 'writer' }).generate('Please check my invoices')).replies[0]?.name).toBe(
    'writer',
  );
});

test('strategies run the light profile, a seat runs its own', async () => {
  const team = agency({ roster: { guide: { instructions: 'Guide.', model: echo(), cognition: 'full' } }, strategy: 'sequential' });
  expect((await team.generate(angry)).replies[0]?.result.events).toEqual([]);
  expect((await team.sessionSeat('guide').send(angry)).events).toHaveLength(1);
  await team.shutdown();
});

test('an agent built before is a member too', async () => {
  const team = agency({ roster: { ready: build() }, strategy: 'sequential' });
  expect((await team.generate('x')).text).toBe('You are brie|x');
});

test.each([
  ['an empty roster', { roster: {}, strategy: 'sequential' }],
  ['an unknown strategy', { roster, strategy: 'vote' }],
  ['a synthesizer from outside', { roster, strategy: 'parallel', synthesizer: 'nobody' }],
])('%s is refused', (_title, config) => {
  expect(() => agency(config as Parameters<typeof agency>[0])).toThrow(expect.objectContaining({ code: 'configuration_invalid' }));
});

test('a seat is not given after the end', async () => {
  const team = agency({ roster: { a: { instructions: 'You are A.' } }, strategy: 'parallel', model: echo() });
  await team.shutdown();
  expect(() => team.sessionSeat('a')).toThrow(expect.objectContaining({ code: 'shut_down' }));
});

test('an agent that is wrong in one thing is told of that alone', () => {
  const wrong = build({ personality: { openness: 5 } });
  expect(() => wrong.gmi('a')).toThrow('The persona has 1 error. personalityTraits.openness');
});

const says = (text: string): AgentConfig => ({ instructions: `You are ${text}.`, model: createScriptedModel([text]) });

test('a member of a sequence that says nothing hands on what it was given', async () => {
  const last = createScriptedModel([({ messages }) => `got ${String(messages.at(-1)?.content)}`, '']);
  const roster = {
    mute: { instructions: 'You look.', model: createScriptedModel(['', 'a draft']) },
    writer: { instructions: 'You write.', model: last },
  };
  const team = agency({ roster, strategy: 'sequential' });
  expect((await team.generate('start')).text).toBe('got start');
  const second = await team.generate('start');
  expect([second.text, second.replies.map(({ result }) => result.text)]).toEqual(['a draft', ['a draft', '']]);
});

test.each([
  [' Billing.\n', 'billing'],
  ['**tax-help**', 'tax_help'],
  ['TAX HELP', 'tax_help'],
])('a route that a model wrote as %j means the member %s', async (chosen, name) => {
  const team = agency({ roster: { billing: says('billing'), tax_help: says('tax_help') }, strategy: 'router', route: () => chosen });
  expect((await team.generate('x')).replies.map((reply) => reply.name)).toEqual([name]);
});

test.each([['Nobody'], ['constructor'], ['']])('a route that means no member is refused: %j', async (chosen) => {
  const team = agency({ roster: { billing: says('billing') }, strategy: 'router', route: () => chosen });
  await expect(team.generate('x')).rejects.toMatchObject({ code: 'configuration_invalid' });
  expect(() => team.sessionSeat(chosen)).toThrow(expect.objectContaining({ message: expect.stringContaining('There is no member') }));
});

test.each([
  ['Fix my SQL', { law: 'You know the law.', sql: 'You write queries.' }, 'sql'],
  ['我想退款', { tech: '你负责技术问题', refund: '你负责退款' }, 'refund'],
  ['返金してください', { tech: '技術の質問に答える', refund: '返金を担当する' }, 'refund'],
  ['返金してください', { tech: '技術の質問に答えてください', refund: '返金を担当する' }, 'refund'],
  ['Is it legal to fire someone?', { it: 'You repair computers.', law: 'You answer legal questions.' }, 'law'],
  ['Tell me about it', { host: 'You greet.', it: 'You repair computers.' }, 'host'],
  ['Ask IT about it', { host: 'You greet.', it: 'You repair computers.' }, 'it'],
])('without a route, %j goes to the member whose name or task it names', async (prompt, tasks, name) => {
  const roster = Object.fromEntries(
    Object.entries(tasks).map(([member, instructions]) => [member, { instructions, model: createScriptedModel(['ok']) }]),
  );
  expect((await agency({ roster, strategy: 'router' }).generate(prompt)).replies.map((reply) => reply.name)).toEqual([name]);
});
