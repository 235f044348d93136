import { createMemoryStore } from '@x/core';
import { createScriptedModel } from '@x/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLane } from './open-lane.js';
import { runTurn } from './run-turn.js';

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(() => void process.off('unhandledRejection', note));
const settle = async (): Promise<void> => {
  for (let lap = 0; lap < 3; lap += 1) await new Promise(setImmediate);
};

test('a listener that rejects is told in the trace, and its rejection ends there', async () => {
  const fails = async (): Promise<void> => {
    throw new Error('the dashboard is away');
  };
  const lane = await openLane({ store: createMemoryStore(), scope: { persona: 'p', user: 'u', session: 's' } });
  const session = lane.session({ model: createScriptedModel(['Hello.', 'Again.']), onMetric: fails, onTrace: fails });
  const { text } = await session.ask('Hi', fails);
  await settle();
  expect(text).toBe('Hello.');
  expect(unhandled).toEqual([]);
  const messages = session.traceLog.map(({ message }) => message);
  expect(messages.filter((message) => message === 'a listener of events threw')).toHaveLength(1);
  expect(messages).toContain('onMetric threw');
  await lane.close();
});

test('a single turn outlives a metric listener that rejects', async () => {
  const request = { model: createScriptedModel(['Hello.']), onMetric: async () => Promise.reject(new Error('away')) };
  for await (const _ of runTurn([{ role: 'user', content: 'Hi' }], request));
  await settle();
  expect(unhandled).toEqual([]);
});

test('a tool that fails alike but for its numbers, or is not there, stops the turn at the third time', async () => {
  let run = 0;
  const flaky = {
    name: 'flaky',
    description: 'fails',
    inputSchema: { type: 'object', properties: {} },
    execute: () => {
      run += 1;
      throw new Error(`failed at ${run * 17} ms`);
    },
  };
  for (const [name, tools] of [
    ['flaky', [flaky]],
    ['absent', []],
  ] as const) {
    let asked = 0;
    const model = createScriptedModel(() => {
      asked += 1;
      return { toolCalls: [{ name, arguments: name === 'absent' ? { asked } : {} }] };
    });
    const lane = await openLane({ store: createMemoryStore(), scope: { persona: 'p', user: 'u', session: name } });
    const result = await lane.session({ model, tools, budgets: { maxSteps: 50 } }).ask('Go');
    expect([result.status, asked]).toEqual(['incomplete', 3]);
    await lane.close();
  }
});
