import {
  type BatchWork,
  createMemoryStore,
  type IAgentStore,
  type ITool,
  KEYS,
  pending,
  RevisionConflictError,
  type TraceEntry,
  type TurnHook,
  textOf,
} from '@x/core';
import { createScriptedModel, createVirtualClock, type Script } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { openLane } from './open-lane.js';
import type { SessionOptions, TurnEvent } from './session-types.js';

const scope = { persona: 'tutor', user: 'ada', session: 's1' };
const tool = (name: string, execute: ITool['execute'], more: Partial<ITool> = {}): ITool => ({
  name,
  description: '',
  inputSchema: {},
  execute,
  ...more,
});
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function open(
  script: Script,
  options: Partial<SessionOptions> = {},
  { store = createMemoryStore() as IAgentStore, shared = false } = {},
) {
  const clock = createVirtualClock(1_000_000);
  const model = createScriptedModel(script, { atEnd: 'repeat' });
  const lane = await openLane({ store, scope, clock, shared });
  return { clock, model, lane, store, session: lane.session({ model, ...options }) };
}

const breaksOf = (events: readonly TurnEvent[]) => events.flatMap((event) => (event.type === 'step-start' ? [event.break] : []));

describe('the lane', () => {
  test('turns of one lane wait for each other, also across conversations; a beat waits for users', async () => {
    const order: string[] = [];
    const { lane, model, session } = await open((request) => {
      order.push(textOf(request.messages.at(-1)!));
      return 'ok';
    });
    const other = lane.session({ model, conversation: 'other' });
    const all = [session.ask('one'), session.ask({ content: 'beat', origin: 'heartbeat' }), other.ask('two'), session.ask('three')];
    expect(lane.busy).toBe(true);
    await Promise.all(all);
    expect(order).toEqual(['one', 'two', 'three', 'beat']);
  });

  test('leaving the stream aborts the turn and frees the lane; nothing is committed', async () => {
    const { session, lane } = await open([{ text: ['a ', 'b'], hang: true }, 'next']);
    for await (const event of session.run({ content: 'go' })) if (event.type === 'text-delta') break;
    expect(lane.busy).toBe(false);
    expect(await session.history()).toEqual([]);
    expect((await session.ask('again')).text).toBe('next');
  });

  test('a reader who stops reading holds nobody up', async () => {
    const { session } = await open(['one', 'two']);
    const slow = session.run({ content: 'first' });
    await slow.next();
    expect((await session.ask('second')).text).toBe('two');
    expect((await session.history()).map(textOf)).toEqual(['first', 'one', 'second', 'two']);
  });

  test('the same id again gives the committed answer without asking the model', async () => {
    const { session, model } = await open(['one', 'two']);
    const first = await session.ask({ content: 'hi', id: 'delivery-7' });
    await session.ask('more');
    expect(await session.ask({ content: 'hi', id: 'delivery-7' })).toMatchObject({
      text: 'one',
      replayed: true,
      steps: 0,
      messages: first.messages,
    });
    expect(model.requests).toHaveLength(2);
  });

  test('close refuses new turns, waits for the running one, then stops it', async () => {
    const { session, clock, lane } = await open([{ text: 'x', hang: true }]);
    const running = session.ask('go').catch((error: unknown) => error);
    await settle();
    const closed = lane.close({ timeoutMs: 100 });
    await expect(session.ask('more')).rejects.toMatchObject({ code: 'session_closed' });
    await clock.advance(100);
    await closed;
    expect(await running).toMatchObject({ code: 'session_closed' });
    expect(() => lane.session({ model: createScriptedModel([]) })).toThrow(expect.objectContaining({ code: 'session_closed' }));
  });

  test('a lane that other processes share reads the store before each turn', async () => {
    const store = createMemoryStore();
    const a = await open(['a1', 'a2'], {}, { store, shared: true });
    const b = await open(['b1', 'b2'], {}, { store, shared: true });
    await a.session.ask('1');
    await b.session.ask('2');
    await a.session.ask('3');
    expect((await b.session.history()).map(textOf)).toEqual(['1', 'a1', '2', 'b1', '3', 'a2']);
  });

  test('a commit that loses eight times is an error, and commits nothing', async () => {
    let tries = 0;
    const inner = createMemoryStore();
    const store: IAgentStore = {
      async open(...args) {
        const lane = await inner.open(...args);
        return {
          ...lane,
          async commit(change) {
            tries += 1;
            throw new RevisionConflictError({ lane: 'x', expected: change.revision, revision: change.revision + 1 });
          },
        };
      },
    };
    const { session } = await open(['x'], {}, { store });
    await expect(session.ask('hi')).rejects.toMatchObject({ code: 'lane_contended', retryable: true });
    expect(tries).toBe(8);
  });
});

describe('signals and counters', () => {
  test('each conversation signal is there when its cause was, and not otherwise', async () => {
    const fails = tool('fails', () => {
      throw new Error('no');
    });
    const fold: TurnHook = {
      beforeLLM: ({ messages, turn }) => (turn === 0 && messages.length > 6 ? { messages: messages.slice(-2) } : undefined),
    };
    const { session, clock } = await open(['a', { toolCalls: [{ name: 'fails' }] }, 'b', 'c', 'd', 'e'], {
      tools: [fails],
      features: [fold],
    });
    const signals = async (text: string, origin?: 'heartbeat') => (await session.ask({ content: text, origin })).signals;
    expect(await signals('what is a pointer')).toEqual(['first_turn']);
    expect(await signals('call it')).toEqual([]);
    expect(await signals('What is a POINTER?')).toEqual(['tool_failed', 'repeated_question']);
    expect(await signals('tick', 'heartbeat')).toEqual(['after_fold']);
    await clock.advance(7 * 3_600_000);
    expect(await signals('good morning to you')).toEqual(['returning_user']);
  });

  test('a user known from another session returns', async () => {
    const store = createMemoryStore();
    const first = await open(['a'], {}, { store });
    await first.session.ask('hi');
    const lane = await openLane({ store, scope: { ...scope, session: 's2' }, clock: createVirtualClock(2_000_000) });
    expect((await lane.session({ model: createScriptedModel(['b']) }).ask('hello again')).signals).toEqual([
      'first_turn',
      'returning_user',
    ]);
  });

  test('only genuine user turns are counted; beforeTurn sees the turns before, afterTurn counts this one', async () => {
    const seen: unknown[] = [];
    const look: TurnHook = {
      beforeTurn: (turn) => void seen.push(turn.state.values[KEYS.turnCount]),
      afterTurn: (turn) => void seen.push(turn.state.values[KEYS.turnCount]),
    };
    const { session } = await open(['x'], { features: [look] });
    await session.ask('one');
    await session.ask({ content: 'beat', origin: 'heartbeat' });
    await session.ask('two');
    expect(seen).toEqual([undefined, 1, 1, 1, 1, 2]);
    expect((await session.state()).values[KEYS.lastTurnAtMs]).toBe(1_000_000);
  });
});

describe('the prompt', () => {
  test('what follows from state comes late and only when it changed; the past stays byte for byte', async () => {
    const moods = ['calm', 'calm', 'cross', ''];
    let turn = 0;
    const { session, model } = await open(['r'], {
      stable: { soul: 'Ava' },
      features: [{ compose: () => ({ stable: { soul: `changed ${turn}` }, volatile: { state: moods[turn++] ?? '' } }) }],
    });
    const events: TurnEvent[] = [];
    for (const text of ['1', '2', '3', '4']) await session.ask(text, (event) => events.push(event));
    const bodies = model.requests.map((request) => JSON.stringify(request.messages).slice(0, -1));
    for (let index = 1; index < bodies.length; index += 1) expect(bodies[index]!.startsWith(bodies[index - 1]!)).toBe(true);
    expect(breaksOf(events)).toEqual(['first', undefined, undefined, undefined]);
    expect(String(model.requests[3]!.messages[0]!.content)).toContain('changed 0');
    expect(model.requests[3]!.messages.filter((message) => textOf(message).includes('State note'))).toHaveLength(3);
  });

  test('a fold, other tools and another model are breaks with names, once each', async () => {
    let model = createScriptedModel(['a'], { atEnd: 'repeat' });
    const fold: TurnHook = { beforeLLM: ({ messages }) => (messages.length === 7 ? { messages: messages.slice(-1) } : undefined) };
    const { session } = await open([], { model: () => model, features: [fold] });
    const events: TurnEvent[] = [];
    const ask = (tools?: readonly ITool[]) => session.ask({ content: 'x', tools }, (event) => events.push(event));
    await ask();
    await ask([tool('t', () => '')]);
    await ask([tool('t', () => 'the same to a model')]);
    await ask([tool('t', () => '')]);
    model = createScriptedModel(['a'], { modelId: 'other', atEnd: 'repeat' });
    await ask([tool('t', () => '')]);
    await ask([tool('t', () => '')]);
    expect(breaksOf(events)).toEqual(['first', 'tools', undefined, 'fold', 'model', undefined]);
  });

  test('reload composes anew: an equal prefix is no break, another is named', async () => {
    let soul = 'one';
    const { session } = await open(['a'], { stable: () => ({ soul }) });
    const events: TurnEvent[] = [];
    const ask = () => session.ask('x', (event) => events.push(event));
    await ask();
    soul = 'two';
    await ask();
    session.reload();
    await ask();
    session.reload();
    await ask();
    expect(breaksOf(events)).toEqual(['first', undefined, 'reload', undefined]);
  });

  test('a hook that adds a message adds a synthetic one, and a bad list of a feature is left out with a warning', async () => {
    const adds: TurnHook = {
      beforeLLM: ({ messages, turn }) => (turn === 0 ? { messages: [...messages, { role: 'user', content: 'remember' }] } : undefined),
    };
    const { session } = await open(['ok'], { features: [adds] });
    expect((await session.ask('hi')).messages.map((message) => [message.origin, message.content])).toEqual([
      ['user', 'hi'],
      ['synthetic', 'remember'],
      ['assistant', 'ok'],
    ]);
    const loses: TurnHook = { name: 'loser', beforeLLM: () => ({ messages: [] }) };
    const feature = await open(['ok'], { features: [loses] });
    expect((await feature.session.ask('hi')).text).toBe('ok');
    expect(feature.session.traceLog[0]).toMatchObject({ type: 'WARNING', message: expect.stringContaining('loser') });
    const host = await open(['ok'], { hooks: loses });
    await expect(host.session.ask('hi')).rejects.toMatchObject({ code: 'hook_result_invalid' });
  });
});

describe('waiting for a human', () => {
  const asks = (expiresAtMs?: number) =>
    tool('asks', (_args, { answer }) =>
      answer ? 'approved' : pending({ id: 'q1', kind: 'approval', prompt: 'Ok?', ...(expiresAtMs && { expiresAtMs }) }),
    );
  const script = [{ toolCalls: [{ name: 'asks' }] }, 'done'];

  test('two processes with the same answer: one runs the tool, the other is told', async () => {
    const store = createMemoryStore();
    let ran = 0;
    const once = tool('asks', async (args, context) => {
      if (context.answer) ran += 1;
      await settle();
      return asks().execute(args, context);
    });
    await (await open(script, { tools: [once] }, { store })).session.ask('go');
    const [a, b] = [await open(['done'], { tools: [once] }, { store }), await open(['done'], { tools: [once] }, { store })];
    const both = await Promise.allSettled([a.session.resume({ id: 'q1', ok: true }), b.session.resume({ id: 'q1', ok: true })]);
    expect(both.map((one) => (one.status === 'fulfilled' ? one.value.text : (one.reason as { code: string }).code)).sort()).toEqual([
      'answer_used',
      'done',
    ]);
    expect(ran).toBe(1);
  });

  test('a process that lacks the tool leaves a yes unused, and may decline', async () => {
    const store = createMemoryStore();
    await (await open(script, { tools: [asks()] }, { store })).session.ask('go');
    const { session } = await open(['done'], { tools: [tool('other', () => '')] }, { store });
    await expect(session.resume({ id: 'q1', ok: true })).rejects.toMatchObject({ code: 'tool_missing', tool: 'asks', retryable: false });
    expect(await session.parked()).toMatchObject({ id: 'q1' });
    expect((await session.resume({ id: 'q1', ok: true }, { tools: [asks()] })).toolCalls[0]!.output).toBe('approved');
    const declined = await open(script, { tools: [asks()] });
    await declined.session.ask('go');
    const elsewhere = await open(['as you wish'], {}, { store: declined.store });
    expect((await elsewhere.session.resume({ id: 'q1', ok: false })).text).toBe('as you wish');
  });

  test('a worker that died over an answer leaves an unknown outcome for a tool that must not run twice', async () => {
    const store = createMemoryStore();
    let ran = 0;
    const dies = tool('asks', (args, context) => {
      if (!context.answer) return asks().execute(args, context);
      ran += 1;
      return new Promise(() => {});
    });
    const first = await open(script, { tools: [dies] }, { store });
    await first.session.ask('go');
    void first.session.resume({ id: 'q1', ok: true }).catch(() => {});
    await settle();
    const second = await open(['so be it'], { tools: [dies] }, { store });
    await expect(second.session.resume({ id: 'q1', ok: true })).rejects.toMatchObject({ code: 'answer_used' });
    await second.clock.advance(11 * 60_000);
    const result = await second.session.resume({ id: 'q1', ok: true });
    expect([result.text, result.toolCalls[0]!.output, ran]).toEqual([
      'so be it',
      'The answer was given, but the run that used it was cut off. Whether the tool took effect is unknown.',
      1,
    ]);
  });

  test('a turn that fails after the answer leaves the question open', async () => {
    const { session } = await open([{ toolCalls: [{ name: 'asks' }] }, { error: new Error('down') }, 'fine'], { tools: [asks()] });
    await session.ask('go');
    await expect(session.resume({ id: 'q1', ok: true })).rejects.toMatchObject({ code: 'model_failed' });
    expect(await session.parked()).toMatchObject({ id: 'q1' });
    expect((await session.resume({ id: 'q1', ok: true })).text).toBe('fine');
  });

  test('a tool may ask under the same id again, in the same turn or a later one', async () => {
    const { session } = await open(
      [{ toolCalls: [{ name: 'asks' }] }, { toolCalls: [{ name: 'asks' }] }, 'done', { toolCalls: [{ name: 'asks' }] }, 'end'],
      {
        tools: [asks()],
      },
    );
    expect((await session.ask('go')).status).toBe('pending');
    expect((await session.resume({ id: 'q1', ok: true })).status).toBe('pending');
    expect((await session.resume({ id: 'q1', ok: true })).text).toBe('done');
    expect((await session.ask('once more')).status).toBe('pending');
    expect((await session.resume({ id: 'q1', ok: true })).text).toBe('end');
    expect(Object.keys((await session.state()).values)).not.toContain('gmi_answered_main');
  });

  test('a question past its time is closed by the next turn; cancel closes one at once', async () => {
    const { session, clock } = await open(script, { tools: [asks(1_000_500)] });
    await session.ask('go');
    await clock.advance(1000);
    await session.ask('never mind');
    expect((await session.history()).map(textOf)).toEqual(['go', '', 'expired: Ok?', 'never mind', 'done']);
    const other = await open(script, { tools: [asks()] });
    await other.session.ask('go');
    expect([await other.session.cancel(), await other.session.cancel()]).toEqual([true, false]);
    expect((await other.session.history()).map(textOf)).toEqual(['go', '', 'cancelled: Ok?']);
    expect((await other.session.ask('more')).status).toBe('done');
  });

  test('a guard that asks lets the call through once it was approved', async () => {
    const ran: string[] = [];
    const guard: TurnHook = { beforeTool: ({ name }) => ({ result: pending({ id: 'g', kind: 'approval', prompt: `run ${name}?` }) }) };
    const { session } = await open([{ toolCalls: [{ name: 'rm' }] }, 'done'], {
      tools: [tool('rm', () => `gone ${ran.push('rm')}`)],
      hooks: guard,
    });
    expect(await session.ask('go')).toMatchObject({ status: 'pending', text: 'run rm?' });
    expect(ran).toEqual([]);
    expect((await session.resume({ id: 'g', ok: true })).toolCalls[0]!.output).toBe('gone 1');
  });

  test('a mood that a parked turn set is kept, and the turn counts once, when it ends', async () => {
    const mood: TurnHook = { beforeTurn: (turn) => void turn.apply({ set: 'mood', to: 'curious' }, 'test') };
    const { session } = await open(script, { tools: [asks()], features: [mood] });
    await session.ask('go');
    expect([(await session.state()).mood, (await session.state()).values[KEYS.turnCount]]).toEqual(['curious', undefined]);
    await session.resume({ id: 'q1', ok: true });
    expect((await session.state()).values[KEYS.turnCount]).toBe(1);
  });
});

describe('background work', () => {
  const worker = (runBatch: TurnHook['runBatch'], batch = [{ id: 'x', because: 'test' }]): TurnHook => ({
    name: 'w',
    afterTurn: () => ({ batch }),
    ...(runBatch && { runBatch }),
  });

  test('the answer does not wait for it; batches run one at a time, in order', async () => {
    const log: string[] = [];
    let go!: () => void;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const { session } = await open(['a', 'b'], {
      features: [
        worker(async (batch) => {
          log.push(`start ${batch.turn}`);
          await gate;
          log.push(`end ${batch.turn}`);
        }),
      ],
    });
    await session.ask({ content: '1', id: 't1' });
    await session.ask({ content: '2', id: 't2' });
    await settle();
    expect(log).toEqual(['start t1']);
    go();
    expect(await session.drain()).toBe(true);
    expect(log).toEqual(['start t1', 'end t1', 'start t2', 'end t2']);
  });

  test('what was said before its lane is erased is sent to no model afterwards', async () => {
    const store = createMemoryStore();
    const { session, model, lane } = await open(['a'], {}, { store });
    await session.ask('I live in Oslo.');
    await lane.memory.set('city', 'Oslo');
    await store.forget(scope);
    expect((await session.ask('And now?')).text).toBe('a');
    expect(JSON.stringify(model.requests.at(-1))).not.toContain('Oslo');
    expect((await session.history()).map(({ content }) => content)).toEqual(['And now?', 'a']);
    expect(await lane.memory.get('city')).toBeUndefined();
  });

  test('what was learned from a lane that is erased meanwhile is dropped', async () => {
    const store = createMemoryStore();
    const { session } = await open(
      ['a'],
      {
        features: [
          worker(async (_batch, work) => {
            await store.forget(scope);
            work.apply({ imprint: 'city', value: 'Oslo' }, 'test');
          }),
        ],
      },
      { store },
    );
    await session.ask('I live in Oslo.');
    await session.drain();
    const { revision, state } = await (await store.open(scope)).load('main');
    expect([revision, state.imprints]).toEqual([0, {}]);
    expect(session.traceLog.filter(({ type }) => type === 'ERROR')).toEqual([]);
  });

  test('what fails or takes too long changes nothing, is an ERROR in the trace, and is not tried for ever', async () => {
    let runs = 0;
    const store = createMemoryStore();
    const failing = worker(async (_batch, work) => {
      runs += 1;
      work.apply({ set: 'mood', to: 'curious' }, 'half');
      throw new Error('broken');
    });
    const { session } = await open(['a'], { features: [failing] }, { store });
    await session.ask('x');
    await session.drain();
    expect((await session.state()).mood).toBe('neutral');
    expect(session.traceLog.at(-1)).toMatchObject({ type: 'ERROR', details: { problem: 'Error: broken' } });
    await (await open(['a'], { features: [failing] }, { store })).session.drain();
    expect(runs).toBe(1);
    const slow = await open(['a'], { features: [worker(() => new Promise(() => {}))], batchTimeoutMs: 50 });
    await slow.session.ask('x');
    const early = slow.session.drain({ timeoutMs: 20 });
    await slow.clock.advance(20);
    expect(await early).toBe(false);
    const drained = slow.session.drain();
    await slow.clock.advance(30);
    expect(await drained).toBe(true);
  });

  test('a write during its run survives it, and its operations are one commit', async () => {
    const { session, lane } = await open(['a'], {
      features: [
        worker(async (_batch, work) => {
          await lane.memory.set('between', true);
          work.apply({ trait: 'openness', delta: 0.2 }, 'r');
          work.apply({ imprint: 'likes', value: 'tea' }, 'r');
        }),
      ],
    });
    await session.ask('x');
    await session.drain();
    const { traits, imprints, values } = await session.state();
    expect([traits['openness'], imprints, values['between']]).toEqual([0.7, { likes: 'tea' }, true]);
    const turns: string[] = [];
    for await (const { by, turn } of session.operations()) if (by === 'w') turns.push(turn);
    expect(new Set(turns).size).toBe(1);
  });
});

describe('what watches', () => {
  test('sinks and listeners that throw leave one warning each and nothing else', async () => {
    const { session } = await open(['ok'], {
      onMetric: () => {
        throw new Error('metric');
      },
      onTrace: () => {
        throw new Error('trace');
      },
    });
    const result = await session.ask('hi', () => {
      throw new Error('listener');
    });
    expect(result.text).toBe('ok');
    expect(new Set(session.traceLog.map((entry) => entry.type))).toEqual(new Set(['WARNING']));
  });

  test('failed tools and turns are ERROR entries, changes are STATE_CHANGE, and the trace keeps 500', async () => {
    const traced: TraceEntry[] = [];
    const chatty: TurnHook = {
      beforeTurn(turn) {
        turn.apply({ set: 'mood', to: 'curious' }, 'because');
        for (let line = 0; line < 600; line += 1) turn.trace({ type: 'DEBUG', message: `line ${line}` });
      },
    };
    const { session } = await open([{ toolCalls: [{ name: 'none' }] }, 'ok'], {
      features: [chatty],
      onTrace: (entry) => traced.push(entry),
    });
    await session.ask('x');
    expect(session.traceLog).toHaveLength(500);
    expect(session.traceLog.at(-1)).toMatchObject({ type: 'ERROR', message: 'tool none failed' });
    expect(traced[0]).toMatchObject({ type: 'STATE_CHANGE', details: { from: 'neutral', to: 'curious', why: 'because' } });
  });

  test('the journal holds replies and results in order, in the commit of the turn', async () => {
    const { session, lane } = await open([{ toolCalls: [{ name: 't' }] }, 'ok'], { tools: [tool('t', () => 'out')], journal: true });
    const { id } = await session.ask('x');
    expect(await lane.store.journal(id)).toMatchObject([
      { kind: 'request', step: 0 },
      { kind: 'model', step: 0, finish: 'tool-calls' },
      { kind: 'tool', name: 't', output: 'out' },
      { kind: 'request', step: 1 },
      { kind: 'model', step: 1, message: { content: 'ok' } },
      { kind: 'parts', signals: ['first_turn'] },
    ]);
  });

  test('a turn that is over cannot be changed any more', async () => {
    const kept: Parameters<NonNullable<TurnHook['beforeTurn']>>[0][] = [];
    const { session } = await open(['ok'], { features: [{ beforeTurn: (turn) => void kept.push(turn) }] });
    await session.ask('x');
    const changes = [
      () => kept[0]!.apply({ set: 'mood', to: 'curious' }, 'late'),
      () => kept[0]!.raise({ eventType: 'x', severity: 'low', metadata: {} } as never),
      () => kept[0]!.consume(['x']),
      () => kept[0]!.trace({ type: 'DEBUG', message: 'late' }),
    ];
    for (const change of changes) expect(change).toThrow(expect.objectContaining({ code: 'turn_over' }));
  });

  test('background work that is over cannot change anything any more', async () => {
    const kept: BatchWork[] = [];
    const { session } = await open(['ok'], {
      features: [
        {
          afterTurn: () => ({ batch: [{ id: 'b', because: 'test' }] }),
          runBatch: async (_batch, work) => void kept.push(work),
        },
      ],
    });
    await session.ask('x');
    await session.drain();
    for (const change of [
      () => kept[0]!.apply({ set: 'mood', to: 'curious' }, 'late'),
      () => kept[0]!.trace({ type: 'DEBUG', message: 'late' }),
    ]) {
      expect(change).toThrow(expect.objectContaining({ code: 'turn_over' }));
    }
  });
});
