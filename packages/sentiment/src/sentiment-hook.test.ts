import { applyOperation, type GMIEvent, INITIAL_STATE, KEYS, type Operation, type Stored, type Turn } from '@x/core';
import { expect, test } from 'vitest';
import { sentimentHook } from './sentiment-hook.js';

/** A lane that applies operations and keeps events, as a Session would. */
function lane() {
  let state = INITIAL_STATE;
  let pending: GMIEvent[] = [];
  const history: Stored[] = [];
  const traces: string[] = [];
  let count = 0;
  const run = async (hook: ReturnType<typeof sentimentHook>, text: string, origin: Stored['origin'] = 'user'): Promise<string[]> => {
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
      signal: new AbortController().signal,
      atMs: count * 1000,
      apply(operation: Operation) {
        state = applyOperation(state, operation).state;
      },
      trace: (entry: { type: string }) => traces.push(entry.type),
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
  return { run, traces, state: () => state, pending: () => pending };
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
