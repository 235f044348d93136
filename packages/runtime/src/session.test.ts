import { createMemoryStore, type ITool, KEYS, pending, type Turn, type TurnHook, validateMessages } from '@x/core';
import { createScriptedModel, createVirtualClock, type Script } from '@x/testkit';
import { expect, test } from 'vitest';
import { openLane } from './open-lane.js';
import type { SessionOptions, TurnEvent } from './session-types.js';

const scope = { persona: 'tutor', user: 'ada', session: 's1' };
const add: ITool<{ a: number; b: number }> = {
  name: 'add',
  description: 'adds',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  execute: ({ a, b }) => String(a + b),
};

async function open(script: Script, options: Partial<SessionOptions> = {}, store = createMemoryStore()) {
  const clock = createVirtualClock(1_000_000);
  const model = createScriptedModel(script);
  const lane = await openLane({ store, scope, clock });
  const session = lane.session({ model, stable: { system: 'You are a tutor.' }, ...options });
  return { clock, model, lane, session, store };
}

async function events(stream: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const all: TurnEvent[] = [];
  for await (const event of stream) all.push(event);
  return all;
}

const moodHook: TurnHook = {
  name: 'moods',
  beforeTurn(turn) {
    turn.apply({ set: 'mood', to: 'focused' }, 'a test');
    turn.raise({ eventType: 'user_confused', severity: 'low', metadata: {} });
  },
  compose: (turn) => ({ stable: { soul: 'I am Ava.' }, volatile: { state: `mood ${turn.state.mood}`, elements: turn.signals.join(' ') } }),
};

test('a turn streams its events in order, the last one after the commit with the whole result', async () => {
  const { session } = await open([{ text: ['Sum: '], toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }] }, 'It is 3.'], {
    tools: [add as ITool],
  });
  const all = await events(session.run({ content: 'What is 1+2?' }));
  expect(all.map((event) => event.type)).toEqual([
    'turn-start',
    'step-start',
    'text-delta',
    'step-end',
    'tool-call-start',
    'tool-call-end',
    'step-start',
    'text-delta',
    'text-delta',
    'text-delta',
    'step-end',
    'turn-end',
  ]);
  const last = all.at(-1)!;
  if (last.type !== 'turn-end') throw new Error('the last event is not turn-end');
  const { result } = last;
  expect(result).toMatchObject({ status: 'done', text: 'It is 3.', steps: 2, replayed: false });
  expect(result.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  expect(result.toolCalls).toMatchObject([{ name: 'add', args: { a: 1, b: 2 }, output: '3', isError: false }]);
  expect(await session.history()).toEqual(result.messages);
});

test('features score, compose and change the state; the log names them; the prefix stays the same', async () => {
  const { session, model } = await open(['One.', 'Two.'], { features: [moodHook] });
  const first = await session.ask('hello there');
  const second = await session.ask('and now something else');
  expect(first.state.before.mood).toBe('neutral');
  expect(first.state.after.mood).toBe('focused');
  expect(first.operations.map(({ by, to }) => [by, to])).toEqual([
    ['moods', 'focused'],
    ['runtime', 1],
    ['runtime', 1_000_000],
  ]);
  expect(first.signals).toEqual(['user_confused', 'first_turn']);
  expect(second.signals).toEqual(['user_confused']);
  expect(first.parts).toEqual({
    stable: { soul: 'I am Ava.', system: 'You are a tutor.' },
    volatile: { state: 'mood focused', elements: 'user_confused first_turn' },
  });
  const [one, two] = model.requests;
  expect(two!.messages.slice(0, 2)).toEqual(one!.messages.slice(0, 2));
  expect(String(one!.messages[0]!.content)).toContain('I am Ava.\n\nYou are a tutor.');
  expect((await session.state()).values[KEYS.turnCount]).toBe(2);
});

test('the first request is the break first, then there is none; a changed prefix in a new process is reload', async () => {
  const store = createMemoryStore();
  const breaks = async (soul: string) => {
    const { session } = await open(['a', 'b'], { stable: { soul } }, store);
    const all = [...(await events(session.run({ content: 'x' }))), ...(await events(session.run({ content: 'y' })))];
    return all.flatMap((event) => (event.type === 'step-start' ? [event.break] : []));
  };
  expect(await breaks('Ava')).toEqual(['first', undefined]);
  expect(await breaks('Ava')).toEqual([undefined, undefined]);
  expect(await breaks('Bea')).toEqual(['reload', undefined]);
});

test('a failed turn commits nothing, throws its typed error, and the session goes on', async () => {
  const { session } = await open([{ error: new Error('boom') }, 'Fine.'], { features: [moodHook] });
  await expect(session.ask('hi')).rejects.toMatchObject({ code: 'model_failed' });
  expect((await session.state()).mood).toBe('neutral');
  expect(await session.history()).toEqual([]);
  expect(session.traceLog.at(-1)).toMatchObject({ type: 'ERROR', message: 'the turn failed and was not committed' });
  expect((await session.ask('hi')).text).toBe('Fine.');
});

test('a feature that throws leaves a warning; a host hook that throws fails the turn with hook_failed', async () => {
  const bad: TurnHook = {
    beforeTurn() {
      throw new Error('broken');
    },
  };
  const feature = await open(['ok'], { features: [{ ...bad, name: 'bad' }] });
  expect((await feature.session.ask('hi')).text).toBe('ok');
  expect(feature.session.traceLog).toMatchObject([{ type: 'WARNING', details: { problem: 'Error: broken' } }]);
  const host = await open(['ok'], { hooks: bad });
  await expect(host.session.ask('hi')).rejects.toMatchObject({ code: 'hook_failed' });
});

test('a tool that asks a human parks the turn; only the right answer goes on with it, once, in another process', async () => {
  const store = createMemoryStore();
  const ran: string[] = [];
  const send: ITool = {
    name: 'send',
    description: '',
    inputSchema: {},
    execute: (_args, { answer }) => {
      ran.push(answer ? `answered ${String(answer.value)}` : 'asked');
      return answer ? 'sent' : pending({ id: 'q1', kind: 'approval', prompt: 'Send it?' });
    },
  };
  const tools = [send, { ...add, name: 'count', execute: () => '1' } as ITool];
  const script = [{ toolCalls: [{ name: 'send' }, { name: 'count', arguments: { a: 1, b: 1 } }] }, 'Sent.'];
  const first = await open(script.slice(0, 1), { tools }, store);
  const parked = await first.session.ask('send it');
  expect(parked).toMatchObject({ status: 'pending', text: 'Send it?', pending: { id: 'q1' } });
  expect(await first.session.history()).toEqual([]);
  await expect(first.session.ask('other')).rejects.toMatchObject({ code: 'turn_parked' });

  const second = await open(script.slice(1), { tools }, store);
  await expect(second.session.resume({ id: 'wrong', ok: true })).rejects.toMatchObject({ code: 'answer_mismatch' });
  const done = await second.session.resume({ id: 'q1', ok: true, value: 'yes' });
  expect(done).toMatchObject({ status: 'done', text: 'Sent.' });
  expect(ran).toEqual(['asked', 'answered yes']);
  expect(validateMessages(await second.session.history())).toEqual([]);
  await expect(second.session.resume({ id: 'q1', ok: true })).rejects.toMatchObject({ code: 'nothing_parked' });
  await expect(first.session.resume({ id: 'q1', ok: true })).rejects.toMatchObject({ code: 'nothing_parked' });
});

test('background work runs after the answer, on fresh state, as one commit; a batch left by a crash runs once', async () => {
  const store = createMemoryStore();
  const runs: string[] = [];
  const worker = (crash: boolean): TurnHook => ({
    name: 'meta',
    afterTurn: () => ({ batch: [{ id: 'recover', because: 'test' }] }),
    async runBatch(batch, work) {
      runs.push(batch.items[0]!.id);
      if (crash) await new Promise(() => {});
      work.apply({ set: 'mood', to: 'empathetic' }, 'recovery');
      work.apply({ put: 'note', value: work.history.length }, 'counted');
    },
  });
  const dying = await open(['Hi.'], { features: [worker(true)] }, store);
  const result = await dying.session.ask('hello');
  expect(result.batches).toMatchObject([{ by: 'meta', items: [{ id: 'recover' }] }]);
  expect(result.state.after.mood).toBe('neutral');
  const next = await open([], { features: [{ ...worker(false), afterTurn: () => undefined }] }, store);
  expect(await next.session.drain({ timeoutMs: 1000 })).toBe(true);
  expect(runs).toEqual(['recover', 'recover']);
  expect((await next.session.state()).mood).toBe('empathetic');
  expect((await next.session.state()).values['note']).toBe(2);
  const again = await open([], { features: [worker(false)] }, store);
  await again.session.drain();
  expect(runs).toHaveLength(2);
});

test('undo is one commit of the inverse', async () => {
  const { session } = await open(['a'], { features: [moodHook] });
  const { operations } = await session.ask('x');
  await session.undo(operations[0]!.id);
  expect((await session.state()).mood).toBe('neutral');
  await expect(session.undo('op-none')).rejects.toMatchObject({ code: 'operation_unknown' });
});

test('a write of the host during a turn survives the turn, and the turn survives it', async () => {
  const store = createMemoryStore();
  let lane!: Awaited<ReturnType<typeof openLane>>;
  const outside = await openLane({ store, scope });
  const hook: TurnHook = {
    async afterLLM() {
      await lane.memory.set('own', 1);
      await outside.memory.set('foreign', 2);
    },
    beforeTurn: (turn: Turn) => void turn.apply({ trait: 'openness', delta: 0.1 }, 'test'),
  };
  const opened = await open(['ok'], { hooks: hook }, store);
  lane = opened.lane;
  const result = await opened.session.ask('x');
  expect(result.text).toBe('ok');
  const state = await opened.session.state();
  expect([state.values['own'], state.values['foreign'], state.traits['openness']]).toEqual([1, 2, 0.6]);
});

test('a foreign change of the transcript is an error, and the next turn starts from it', async () => {
  const store = createMemoryStore();
  const other = await open(['theirs'], {}, store);
  const mine = await open(
    [
      async () => {
        await other.session.ask('from elsewhere');
        return 'mine';
      },
      'mine again',
    ],
    {},
    store,
  );
  await expect(mine.session.ask('here')).rejects.toMatchObject({ code: 'transcript_conflict' });
  await mine.session.ask('here');
  expect((await mine.session.history()).map((message) => message.content)).toEqual(['from elsewhere', 'theirs', 'here', 'mine again']);
});
