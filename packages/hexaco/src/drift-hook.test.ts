import { createMemoryStore, KEYS, type LaneScope, type Sender, type Turn } from '@x/core';
import { createRandom, createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { createLane } from '../test/create-lane.js';
import { type DriftHookOptions, driftHook } from './drift-hook.js';
import { readDriftRecord } from './drift-record.js';
import { hexacoHook } from './hexaco-hook.js';
import { moveTo } from './trait-budget.js';

const persona = { personalityTraits: { agreeableness: 0.6 } };

async function setUp(options: Partial<DriftHookOptions> = {}, scope: LaneScope = { persona: 'p', user: 'u', session: 's' }) {
  const clock = createVirtualClock(1_000_000);
  const random = createRandom(6);
  const drift = driftHook({ persona, ...options });
  const score = { valence: 0, arousal: 0 };
  const scorer = {
    name: 'sentiment',
    beforeTurn: (turn: Turn) => turn.apply({ put: KEYS.affect, value: { ...score, score: score.valence, atMs: turn.atMs } }, 'scored'),
  };
  const store = createMemoryStore({ clock, random });
  const lane = await createLane({ store, scope, hooks: [scorer, hexacoHook({ persona }), drift], clock, random });
  return {
    lane,
    drift,
    record: async () => readDriftRecord((await lane.state()).values[KEYS.drift]),
    async say(count: number, valence: number, arousal: number, origin: 'user' | 'heartbeat' = 'user', sender?: Sender) {
      Object.assign(score, { valence, arousal });
      const outcomes = [];
      for (let turn = 0; turn < count; turn += 1) {
        await clock.advance(1_000);
        outcomes.push(await lane.turn(undefined, { origin, sender }));
      }
      return outcomes;
    },
  };
}

test('a cycle is 20 scored user turns, and an analysis comes after five of them', async () => {
  const { say, record } = await setUp();
  await say(20, -0.8, 0.8);
  expect(await record()).toMatchObject({ cycles: 1, inCycle: 0, analysedAtMs: null });
  await say(79, -0.8, 0.8);
  expect(await record()).toMatchObject({ cycles: 4, inCycle: 19, proposals: [] });
  await say(1, -0.8, 0.8);
  expect(await record()).toMatchObject({
    cycles: 0,
    inCycle: 0,
    traces: [],
    proposals: [{ trait: 'agreeableness', delta: -0.05, traceCount: 100 }],
  });
});

test('mode propose changes no trait; mode apply does, within the session budget, and says on what grounds', async () => {
  const proposing = await setUp({ analysisInterval: 1 });
  await proposing.say(20, -0.8, 0.8);
  expect((await proposing.lane.state()).traits['agreeableness']).toBe(0.6);
  const applying = await setUp({ analysisInterval: 1, mode: 'apply' });
  const outcomes = await applying.say(20, -0.8, 0.8);
  const [logged] = outcomes.at(-1)?.operations.filter(({ operation }) => 'trait' in operation) ?? [];
  expect(logged?.to).toBeCloseTo(0.571, 12);
  expect(logged?.why).toMatch(/^reason: unpleasant, excited turns \(100 % of 20 scored turns\) \[turns: turn-/);
  await applying.say(160, -0.8, 0.8);
  expect((await applying.lane.state()).traits['agreeableness']).toBeGreaterThanOrEqual(0.45 - 1e-9);
});

test('turns of others and turns without a score of their own are no evidence', async () => {
  const { say, record } = await setUp();
  await say(5, -0.8, 0.8, 'heartbeat');
  expect((await record()).traces).toEqual([]);
  const stale = await setUp({ readAffect: () => undefined });
  await stale.say(5, -0.8, 0.8);
  expect((await stale.record()).traces).toEqual([]);
});

test('in the lane of a directory the turns of strangers are no evidence, and move nothing', async () => {
  const settings = { analysisInterval: 1, cycleTurns: 10, mode: 'apply' } as const;
  const { lane, say, record } = await setUp(settings, { directory: '/ava' });
  await say(10, -0.8, 0.8, 'user', { id: 'mallory', owner: false });
  expect([(await record()).traces, (await lane.state()).traits['agreeableness']]).toEqual([[], 0.6]);
  await say(10, -0.8, 0.8, 'user', { id: 'ada', owner: true });
  expect((await lane.state()).traits['agreeableness']).toBeLessThan(0.6);
  const own = await setUp(settings);
  await own.say(10, -0.8, 0.8, 'user', { id: 'bob', owner: false });
  expect((await own.lane.state()).traits['agreeableness']).toBeLessThan(0.6);
});

test('far from the persona the alarm is raised once and learning pauses until the way back', async () => {
  const { lane, say, record } = await setUp({ analysisInterval: 1, cycleTurns: 10, mode: 'apply' });
  await lane.turn((turn) => moveTo(turn, 'agreeableness', 0.95, 'host'));
  const outcomes = await say(20, -0.8, 0.8);
  // The turn that moved the trait raised it already, when it ended.
  expect(outcomes.flatMap(({ raised }) => raised)).toEqual([]);
  expect(await record()).toMatchObject({ paused: true, proposals: [] });
  expect((await lane.state()).traits['agreeableness']).toBe(0.95);
  await lane.turn((turn) => moveTo(turn, 'agreeableness', 0.85, 'host'));
  expect((await record()).paused).toBe(true);
  await lane.turn((turn) => moveTo(turn, 'agreeableness', 0.79, 'host'));
  expect((await record()).paused).toBe(false);
});

test('the alarm is an event that a metaprompt can wait for', async () => {
  const { lane } = await setUp();
  const { raised } = await lane.turn((turn) => moveTo(turn, 'agreeableness', 0.2, 'host'));
  expect(raised).toEqual(['persona_drift']);
});

test('the end of a session ends a cycle that is not full', async () => {
  const { lane, drift, say, record } = await setUp({ analysisInterval: 1 });
  await say(12, 0.8, 0.8);
  await lane.turn((turn) => drift.endSession(turn), { origin: 'internal' });
  expect(await record()).toMatchObject({ inCycle: 0, proposals: [{ trait: 'extraversion', traceCount: 12 }] });
});

test('a damaged record starts anew, entry by entry', () => {
  const good = { valence: 0.1, arousal: 0.2, turn: 't', atMs: 1 };
  expect(readDriftRecord('x')).toMatchObject({ traces: [], cycles: 0 });
  expect(
    readDriftRecord({
      traces: [good, null, { ...good, valence: 'high' }],
      cycles: -1,
      inCycle: 3,
      trend: { openness: { direction: 1, agreeing: 2 }, honesty: { direction: 7 } },
      paused: 'yes',
      proposals: [{ trait: 'charisma' }],
      analysedAtMs: null,
    }),
  ).toEqual({
    traces: [good],
    cycles: 0,
    inCycle: 3,
    trend: { openness: { direction: 1, agreeing: 2 } },
    paused: false,
    proposals: [],
    analysedAtMs: null,
  });
});
