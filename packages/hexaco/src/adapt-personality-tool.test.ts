import { createMemoryStore, KEYS, pendingOf, resultOf, type ToolContext, type Turn } from '@x/core';
import { createRandom, createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { createLane, type TestLane } from '../test/create-lane.js';
import { type AdaptPersonalityOptions, createAdaptPersonalityTool } from './adapt-personality-tool.js';
import { hexacoHook } from './hexaco-hook.js';

const persona = { personalityTraits: { openness: 0.5, conscientiousness: 0.9 } };

async function setUp(options: AdaptPersonalityOptions = {}): Promise<{
  lane: TestLane;
  call: (args: unknown, context?: Partial<ToolContext>) => Promise<{ output: Record<string, unknown>; isError: boolean; pending: boolean }>;
}> {
  const clock = createVirtualClock(1_000);
  const random = createRandom(3);
  const store = createMemoryStore({ clock, random });
  const scope = { persona: 'p', user: 'u', session: 's' };
  const lane = await createLane({ store, scope, hooks: [hexacoHook({ persona })], clock, random });
  const tool = createAdaptPersonalityTool({ ...persona, ...options });
  return {
    lane,
    async call(args, context = {}) {
      let result: ReturnType<typeof tool.execute> = '';
      await lane.turn((turn) => {
        result = tool.execute(args as never, { turn, ...context });
      });
      const { output, isError } = resultOf(result);
      const pending = pendingOf(result) !== undefined;
      return { output: pending ? { prompt: output } : JSON.parse(output), isError, pending };
    },
  };
}

test('a step moves the trait of the lane, and the log says why', async () => {
  const { lane, call } = await setUp();
  expect(await call({ trait: 'openness', delta: 0.1, reasoning: 'asks for wild ideas' })).toEqual({
    output: { trait: 'openness', previousValue: 0.5, newValue: 0.6, delta: 0.1, clamped: false, sessionTotal: 0.1, remainingBudget: 0.05 },
    isError: false,
    pending: false,
  });
  expect((await lane.state()).traits['openness']).toBeCloseTo(0.6, 12);
});

test('what exceeds the budget is clamped, then nothing is left', async () => {
  const { call } = await setUp();
  const steps = [0.1, -0.1, 0.1];
  const outputs = [];
  for (const delta of steps) outputs.push((await call({ trait: 'openness', delta, reasoning: 'r' })).output);
  expect(outputs.map(({ delta, clamped, remainingBudget }) => ({ delta, clamped, remainingBudget }))).toEqual([
    { delta: 0.1, clamped: false, remainingBudget: 0.05 },
    { delta: -0.05, clamped: true, remainingBudget: 0 },
    { delta: 0, clamped: true, remainingBudget: 0 },
  ]);
});

test('each trait has a budget of its own, and the bound of the scale spends only what it moved', async () => {
  const { call } = await setUp();
  const { output } = await call({ trait: 'conscientiousness', delta: 0.15, reasoning: 'r' });
  expect(output).toMatchObject({ newValue: 1, delta: 0.1, clamped: true, remainingBudget: 0.05 });
  expect((await call({ trait: 'openness', delta: 0.15, reasoning: 'r' })).output).toMatchObject({ delta: 0.15, clamped: false });
});

test.each([
  [{ trait: 'honesty', delta: 0.1, reasoning: 'r' }, 'operator_only'],
  [{ trait: 'honestyHumility', delta: 0.1, reasoning: 'r' }, 'operator_only'],
  [{ trait: 'emotionality', delta: 0.1, reasoning: 'r' }, 'operator_only'],
  [{ trait: 'charisma', delta: 0.1, reasoning: 'r' }, 'trait_unknown'],
  [{ trait: '__proto__', delta: 0.1, reasoning: 'r' }, 'trait_unknown'],
  [{ trait: 'openness', delta: Number.NaN, reasoning: 'r' }, 'delta_invalid'],
  [{ trait: 'openness', delta: 9.2e124, reasoning: 'r' }, 'delta_invalid'],
  [{ trait: 'openness', delta: 0.1, reasoning: '   ' }, 'reasoning_missing'],
  [null, 'trait_unknown'],
])('%j is refused as %s and changes nothing', async (args, code) => {
  const { lane, call } = await setUp();
  const { output, isError } = await call(args);
  expect({ code: output['error'], isError }).toEqual({ code, isError: true });
  expect((await lane.state()).values[KEYS.traitBudget]).toBeUndefined();
});

test('with approve a human is asked first; a yes makes the change, a no does not', async () => {
  const { lane, call } = await setUp({ approve: ({ delta }) => Math.abs(delta) >= 0.05 });
  const args = { trait: 'openness', delta: 0.1, reasoning: 'r' };
  const asked = await call(args, { callId: 'c1' });
  expect({ pending: asked.pending, prompt: asked.output['prompt'] }).toEqual({
    pending: true,
    prompt: 'May openness go from 0.5 to 0.6? Reason given: r',
  });
  expect((await lane.state()).traits['openness'] ?? 0.5).toBe(0.5);
  const id = 'adapt_personality:c1';
  expect((await call(args, { answer: { id, ok: false, reason: 'declined' } })).output['error']).toBe('not_approved');
  expect((await call(args, { answer: { id, ok: true } })).output['newValue']).toBe(0.6);
  expect((await call({ ...args, delta: 0.01 })).pending).toBe(false);
});

test('in a lane of a directory a stranger cannot bring the agent to change itself', async () => {
  const clock = createVirtualClock();
  const random = createRandom(5);
  const lane = await createLane({ store: createMemoryStore({ clock, random }), scope: { directory: '/ava' }, hooks: [], clock, random });
  const tool = createAdaptPersonalityTool();
  const codes: unknown[] = [];
  const call = (turn: Turn): void => {
    codes.push(JSON.parse(resultOf(tool.execute({ trait: 'openness', delta: 0.1, reasoning: 'r' }, { turn })).output)['error']);
  };
  await lane.turn(call, { sender: { id: 'x', owner: false } });
  await lane.turn(call, { sender: { id: 'me', owner: true } });
  expect(codes).toEqual(['not_owner', undefined]);
});

test.each(['heartbeat', 'internal', 'synthetic'] as const)(
  'a turn of origin %s changes no trait unless the operator grants it',
  async (origin) => {
    const clock = createVirtualClock();
    const random = createRandom(5);
    const store = createMemoryStore({ clock, random });
    const lane = await createLane({ store, scope: { persona: 'p', user: 'u', session: 's' }, hooks: [], clock, random });
    const outputs: unknown[] = [];
    for (const tool of [createAdaptPersonalityTool(), createAdaptPersonalityTool({ origins: ['user', origin] })])
      await lane.turn(
        (turn) => {
          const { output } = resultOf(tool.execute({ trait: 'openness', delta: 0.1, reasoning: 'r' }, { turn }));
          outputs.push(JSON.parse(output)['error'], turn.state.traits['openness'] ?? 0.5);
        },
        { origin },
      );
    expect(outputs).toEqual(['not_a_user_turn', 0.5, undefined, 0.6]);
  },
);

test('a host without turns keeps the traits itself', () => {
  let traits: Record<string, number> = { openness: 0.5 };
  const host = {
    clock: createVirtualClock(),
    getPersonality: () => traits,
    setPersonality(trait: string, value: number) {
      traits = { ...traits, [trait]: value };
    },
  };
  const tool = createAdaptPersonalityTool({ personalityTraits: traits, maxDeltaPerSession: 0.3, host });
  const call = (delta: number) => JSON.parse(resultOf(tool.execute({ trait: 'openness', delta, reasoning: 'r' }, {})).output);
  expect([call(0.1).newValue, call(0.5)]).toEqual([
    0.6,
    { trait: 'openness', previousValue: 0.6, newValue: 0.8, delta: 0.2, clamped: true, sessionTotal: 0.3, remainingBudget: 0 },
  ]);
  expect(traits['openness']).toBeCloseTo(0.8, 12);
});
