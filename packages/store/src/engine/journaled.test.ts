import { createMemoryStore, type ITool, type ModelEvent, pending, type ToolResult } from '@x/core';
import { createScriptedModel, createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { journaledModel, journaledTools, OUTCOME_UNKNOWN } from './journaled.js';
import { createLocalEngine } from './local-engine.js';
import type { Delivery, TurnEngine } from './turn-engine.js';

const SCOPE = { persona: 'ava', user: 'u', session: 's' };

/** Runs a turn of two attempts; the first one's lease runs out when its body has come to rest. */
async function twoAttempts(first: (delivery: Delivery, engine: TurnEngine) => Promise<unknown>, second: typeof first): Promise<void> {
  const clock = createVirtualClock(0);
  const problems: unknown[] = [];
  let done = false;
  const engine = createLocalEngine({
    store: createMemoryStore(),
    clock,
    turnTimeoutMs: 1000,
    async handle(delivery, port) {
      const body = delivery.attempt === 1 ? first : second;
      await body(delivery, port).catch((error: unknown) => problems.push(error));
      if (delivery.attempt === 1) await new Promise(() => {});
    },
    onEvent: ({ type }) => {
      done ||= type === 'turn_done';
    },
  });
  await engine.enqueueTurn({ scope: SCOPE, id: 't', input: null });
  for (let step = 0; step < 100 && !done; step += 1) await clock.advance(100);
  expect(problems).toEqual([]);
  expect(done).toBe(true);
  await engine.close({ timeoutMs: 0 });
}

async function events(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const list: ModelEvent[] = [];
  for await (const event of stream) list.push(event);
  return list;
}

const request = { messages: [], tools: [] };
const call = { id: 'c1', type: 'function', function: { name: 'pay', arguments: '{}' } } as const;
const tool = (execute: ITool['execute'], repeat?: ITool['repeat']): ITool => ({
  name: 'pay',
  description: '',
  inputSchema: {},
  execute,
  ...(repeat && { repeat }),
});

test("a model's replies are given again on the next attempt, one by one, and the next question is asked", async () => {
  const asked: number[] = [];
  const model = createScriptedModel([{ text: 'one', toolCalls: [{ name: 'pay' }] }, 'two', 'three']);
  const counting = {
    ...model,
    stream: (...args: Parameters<typeof model.stream>) => {
      asked.push(asked.length);
      return model.stream(...args);
    },
  };
  const seen: ModelEvent[][] = [];
  const ask = async (delivery: Delivery, engine: TurnEngine, times: number): Promise<void> => {
    const journaled = journaledModel(engine, delivery, counting);
    expect([journaled.modelId, journaled.capabilities]).toEqual([model.modelId, model.capabilities]);
    for (let n = 0; n < times; n += 1) seen.push(await events(journaled.stream(request, { signal: delivery.signal })));
  };
  await twoAttempts(
    (delivery, engine) => ask(delivery, engine, 2),
    (delivery, engine) => ask(delivery, engine, 3),
  );
  expect(asked).toHaveLength(3);
  expect(seen[2]).toEqual(seen[0]);
  expect(seen[3]).toEqual(seen[1]);
  expect(seen.map((list) => list.at(-1)?.type)).toEqual(Array(5).fill('model-end'));
});

test('the end of a reply waits until the reply is written down', async () => {
  const order: string[] = [];
  const delivery = {
    queue: 'turns',
    scope: SCOPE,
    lane: 'l',
    id: 't',
    input: null,
    attempt: 1,
    token: 1,
    signal: new AbortController().signal,
  } as const;
  const journal: Pick<TurnEngine, 'journalStep'> = {
    async journalStep(_delivery, step, run) {
      const result = await run({ key: step.id });
      order.push('written');
      return { outcome: 'done', result, replayed: false };
    },
  };
  for await (const { type } of journaledModel(journal, delivery, createScriptedModel(['hi'])).stream(request, { signal: delivery.signal }))
    order.push(type);
  expect(order.filter((entry) => entry !== 'text-delta')).toEqual(['written', 'model-end']);
  expect(order.indexOf('text-delta')).toBeLessThan(order.indexOf('written'));
});

test('a model that fails is asked again', async () => {
  let tries = 0;
  const model = createScriptedModel(['fine']);
  const flaky = {
    ...model,
    stream(...args: Parameters<typeof model.stream>): AsyncIterable<ModelEvent> {
      tries += 1;
      if (tries === 1) throw new TypeError('no network');
      return model.stream(...args);
    },
  };
  const seen: unknown[] = [];
  const ask = async (delivery: Delivery, engine: TurnEngine): Promise<void> => {
    const [event] = await events(journaledModel(engine, delivery, flaky).stream(request, { signal: delivery.signal }));
    seen.push(event);
  };
  await twoAttempts(async (...args) => expect(ask(...args)).rejects.toThrow('no network'), ask);
  expect(seen).toEqual([{ type: 'text-delta', text: 'fine' }]);
});

test('a tool runs once over attempts: its result, its failure and its question come back', async () => {
  const runs: string[] = [];
  const results: ToolResult[][] = [[], []];
  const make = (): readonly ITool[] => [
    tool(() => {
      runs.push('text');
      return 'paid';
    }),
    tool(() => {
      runs.push('throws');
      throw new Error('card declined');
    }),
    tool(() => {
      runs.push('asks');
      return pending({ id: 'q', kind: 'approval', prompt: 'May I?' });
    }),
  ];
  const attempt = (list: ToolResult[]) => async (delivery: Delivery, engine: TurnEngine) => {
    for (const [index, one] of journaledTools(engine, delivery, make()).entries())
      list.push(await one.execute({} as never, { callId: `c${index}` }));
  };
  await twoAttempts(attempt(results[0]!), attempt(results[1]!));
  expect(runs).toEqual(['text', 'throws', 'asks']);
  expect(results[1]).toEqual(results[0]);
  expect(results[0]).toEqual([
    'paid',
    { output: 'card declined', isError: true },
    pending({ id: 'q', kind: 'approval', prompt: 'May I?' }),
  ]);
});

test('a tool cut in the middle is never run again, and the model is told that its outcome is unknown', async () => {
  let runs = 0;
  const never = tool(() => {
    runs += 1;
    return new Promise<ToolResult>(() => {});
  });
  const context = { callId: call.id };
  let told: unknown;
  await twoAttempts(
    async (delivery, engine) => void journaledTools(engine, delivery, [never])[0]!.execute({} as never, context),
    async (delivery, engine) => {
      told = await journaledTools(engine, delivery, [never])[0]!.execute({} as never, context);
    },
  );
  expect(runs).toBe(1);
  expect(told).toEqual({ output: OUTCOME_UNKNOWN, isError: true, metadata: { outcome: 'unknown' } });
});

test('a keyed tool is run again with the same key', async () => {
  const keys: unknown[] = [];
  const keyed = tool((_args, { key }) => {
    keys.push(key);
    return keys.length === 1 ? new Promise<ToolResult>(() => {}) : 'paid';
  }, 'keyed');
  const run = async (delivery: Delivery, engine: TurnEngine) =>
    journaledTools(engine, delivery, [keyed])[0]!.execute({} as never, { callId: 'c1' });
  await twoAttempts(async (...args) => void run(...args), run);
  expect(keys).toEqual(['ava%2Fu%2Fs/t/tool%3Ac1', 'ava%2Fu%2Fs/t/tool%3Ac1']);
});

test('a tool of a class keeps what its class says of it, and any id of a call names its step', async () => {
  class Pay {
    get name() {
      return 'pay';
    }
    get description() {
      return 'Pays.';
    }
    get inputSchema() {
      return {};
    }
    get repeat() {
      return 'idempotent' as const;
    }
    readonly timeoutMs = 5;
    execute = (_args: unknown, { key }: { readonly key?: string | undefined }) => String(key);
  }
  const seen: unknown[] = [];
  await twoAttempts(
    async (delivery, engine) => {
      const [made] = journaledTools(engine, delivery, [new Pay() as ITool]);
      const { name, description, repeat, timeoutMs } = made as ITool;
      seen.push([name, description, repeat, timeoutMs], await made?.execute({} as never, { callId: 'call \ud83d' }));
    },
    async () => undefined,
  );
  expect(seen).toEqual([['pay', 'Pays.', 'idempotent', 5], 'ava%2Fu%2Fs/t/tool%3Acall%20%5Cud83d']);
});
