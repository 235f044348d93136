import { applyOperation, type GMIEvent, INITIAL_STATE, KEYS, type Operation, type Stored, type Turn } from '@x/core';
import { createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { sentimentHook } from './sentiment-hook.js';
import { StatisticalUtilityAI } from './statistical-utility.js';

/** A lane that applies operations and keeps events, as a Session would. */
function lane() {
  let state = INITIAL_STATE;
  let pending: GMIEvent[] = [];
  const history: Stored[] = [];
  const traces: string[] = [];
  const details: unknown[] = [];
  const applied: Operation[] = [];
  let count = 0;
  const run = async (
    hook: ReturnType<typeof sentimentHook>,
    text: string,
    origin: Stored['origin'] = 'user',
    signal: AbortSignal = new AbortController().signal,
  ): Promise<string[]> => {
    count += 1;
    const id = `t${count}`;
    const input: Stored = { id: `m${count}`, role: 'user', content: text, origin };
    const turn = {
      id,
      lane: 'p/u/s',
      origin,
      input,
      layout: { stable: {}, history: [...history], volatile: {}, current: [input], tools: [], blocks: [] },
      get state() {
        return state;
      },
      get events() {
        return pending;
      },
      signals: [],
      traceLog: [],
      signal,
      atMs: count * 1000,
      apply(operation: Operation) {
        applied.push(operation);
        state = applyOperation(state, operation).state;
      },
      trace(entry: { type: string; details?: unknown }) {
        traces.push(entry.type);
        details.push(entry.details);
      },
      raise(event: Pick<GMIEvent, 'eventType' | 'severity' | 'metadata'>) {
        pending = [...pending, { ...event, turnId: id, timestamp: new Date(0).toISOString() }];
      },
      consume(types: readonly string[]) {
        pending = pending.filter((event) => !types.includes(event.eventType));
      },
    } as unknown as Turn;
    await hook.beforeTurn?.(turn);
    history.push(input);
    return pending.filter((event) => event.turnId === id).map((event) => event.eventType);
  };
  const act = (type: string): void => {
    pending = pending.filter((event) => event.eventType !== type);
  };
  return { run, act, traces, details, applied, state: () => state, pending: () => pending };
}

test('the two sentences of the seed raise frustration and satisfaction', async () => {
  const { run, state } = lane();
  const hook = sentimentHook();
  expect(await run(hook, 'This is terrible, I hate it and the app is useless.')).toEqual(['user_frustrated']);
  expect(await run(hook, 'Thank you, that worked great and I love it.')).toEqual(['user_satisfied']);
  expect(state().values[KEYS.user]).toMatchObject({ currentSentiment: 'positive' });
});

test('a heartbeat is not scored', async () => {
  const { run, state } = lane();
  expect(await run(sentimentHook(), 'This is terrible, I hate it and the app is useless.', 'heartbeat')).toEqual([]);
  expect(state().values).toEqual({});
});

test('a failing analyser leaves a warning and the turn goes on', async () => {
  const { run, traces } = lane();
  const hook = sentimentHook({ utilityAI: { analyzeSentiment: async () => Promise.reject(new Error('down')) } });
  expect(await run(hook, 'hello')).toEqual([]);
  expect(traces).toEqual(['WARNING']);
});

const ANGRY = 'This is terrible, I hate it and the app is useless.';
const GERMAN =
  'Ich habe das gestern schon versucht und es ging nicht. Kannst du mir bitte sagen, was ich noch machen kann und warum das so ist?';
const PLAIN = 'The second table has four columns.';

test('a user who writes in another language sets the language of the lane, once', async () => {
  const { run, state, applied } = lane();
  const hook = sentimentHook();
  await run(hook, GERMAN);
  expect(state().language).toBe('de');
  await run(hook, `${GERMAN} Es ging leider wieder nicht.`);
  expect(applied.filter((operation) => 'set' in operation && operation.set === 'language')).toEqual([{ set: 'language', to: 'de' }]);
});

test('a short message in no clear language leaves the language of the lane alone', async () => {
  const { run, state } = lane();
  const hook = sentimentHook();
  await run(hook, GERMAN);
  await run(hook, 'ok');
  expect(state().language).toBe('de');
});

test('an analyser is told the language of the lane, else the default', async () => {
  const asked: unknown[] = [];
  const hook = sentimentHook({
    defaultLanguage: 'fr',
    utilityAI: {
      analyzeSentiment: async (_text, options) => {
        asked.push((options as { language?: string }).language);
        throw new Error('enough');
      },
    },
  });
  const { run } = lane();
  await run(hook, 'ok');
  await run(hook, GERMAN);
  await run(hook, 'ok');
  expect(asked).toEqual(['fr', 'de', 'de']);
});

test('an event that nobody acted on is gone at the next turn of the user, and not at a beat', async () => {
  const { run, pending } = lane();
  const hook = sentimentHook();
  await run(hook, ANGRY);
  await run(hook, 'Look at the mail.', 'heartbeat');
  expect(pending().map(({ eventType }) => eventType)).toEqual(['user_frustrated']);
  await run(hook, PLAIN);
  expect(pending()).toEqual([]);
});

test('an event of another kind is left to whoever reads it', async () => {
  const { run, pending } = lane();
  const raising = { name: 'host', beforeTurn: (turn: Turn) => turn.raise({ eventType: 'order_paid', severity: 'low' } as never) };
  await run(raising as never, PLAIN);
  await run(sentimentHook(), PLAIN);
  expect(pending().map(({ eventType }) => eventType)).toEqual(['order_paid']);
});

test('an event is raised in the first turn of a run, and again after its cooldown while the run lasts', async () => {
  const { run } = lane();
  const hook = sentimentHook({ cooldownTurns: 3 });
  const raised: number[] = [];
  for (let turn = 1; turn <= 8; turn += 1) if ((await run(hook, ANGRY)).includes('user_frustrated')) raised.push(turn);
  expect(raised).toEqual([1, 4, 7]);
});

test('a turn that feels otherwise ends the run: the next one raises at once', async () => {
  const { run } = lane();
  const hook = sentimentHook();
  expect(await run(hook, ANGRY)).toEqual(['user_frustrated']);
  expect(await run(hook, ANGRY)).toEqual([]);
  expect(await run(hook, PLAIN)).toEqual([]);
  expect(await run(hook, ANGRY)).toEqual(['user_frustrated']);
});

test('an event that was acted on is not raised again within its run', async () => {
  const { run, act } = lane();
  const hook = sentimentHook();
  expect(await run(hook, ANGRY)).toEqual(['user_frustrated']);
  act('user_frustrated');
  expect(await run(hook, ANGRY)).toEqual([]);
});

test('an analyser that hangs is given up at the time-out, its call is aborted and the turn goes on unscored', async () => {
  const clock = createVirtualClock(0);
  let seen: AbortSignal | undefined;
  const hook = sentimentHook({
    clock,
    timeoutMs: 2_000,
    utilityAI: {
      analyzeSentiment: (_text, options) => {
        seen = (options as { signal?: AbortSignal }).signal;
        return new Promise<never>(() => undefined);
      },
    },
  });
  const { run, traces, details, state } = lane();
  const done = run(hook, 'ok');
  await clock.advance(2_000);
  expect(await done).toEqual([]);
  expect(seen?.aborted).toBe(true);
  expect(traces).toEqual(['WARNING']);
  expect(details).toEqual([{ error: 'deadline_passed' }]);
  expect(state().values).toEqual({});
  expect(clock.pending).toBe(0);
});

test('an analyser that a host made of ours has its time-out too', async () => {
  class Slow extends StatisticalUtilityAI {
    override analyzeSentiment(): Promise<never> {
      return new Promise(() => {});
    }
  }
  const patched = Object.assign(new StatisticalUtilityAI(), { analyzeSentiment: () => new Promise<never>(() => {}) });
  for (const utilityAI of [new Slow(), patched]) {
    const clock = createVirtualClock(0);
    const { run, details } = lane();
    const turn = run(sentimentHook({ utilityAI, clock, timeoutMs: 2_000 }), 'This is terrible.');
    await clock.advance(2_000);
    await turn;
    expect(details).toEqual([{ error: 'deadline_passed' }]);
  }
});

test('a turn that is aborted ends at once, with its reason', async () => {
  const stop = new AbortController();
  const clock = createVirtualClock(0);
  const hook = sentimentHook({ clock, utilityAI: { analyzeSentiment: () => new Promise<never>(() => undefined) } });
  const { run, traces } = lane();
  const done = run(hook, 'ok', 'user', stop.signal);
  stop.abort(new Error('the user left'));
  await expect(done).rejects.toThrow('the user left');
  expect(traces).toEqual([]);
  expect(clock.pending).toBe(0);
});
