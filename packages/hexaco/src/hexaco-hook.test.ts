import { createMemoryStore, type LaneScope } from '@x/core';
import { createRandom, createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { createLane, type TestLane } from '../test/create-lane.js';
import { AdaptPersonalityTool } from './adapt-personality-tool.js';
import { hexacoHook } from './hexaco-hook.js';
import { TRAIT_DECAY_KEY } from './trait-budget.js';

const DAY = 86_400_000;
const persona = { personalityTraits: { openness: 0.5, agreeableness: 0.8 } };

function world() {
  const clock = createVirtualClock(1_000_000);
  const random = createRandom(9);
  const store = createMemoryStore({ clock, random });
  const open = (
    scope: LaneScope = { persona: 'p', user: 'u', session: 's' },
    given: typeof persona | object = persona,
  ): Promise<TestLane> => createLane({ store, scope, hooks: [hexacoHook({ persona: given })], clock, random });
  const tool = new AdaptPersonalityTool(persona);
  const adapt = (lane: TestLane, delta: number) =>
    lane.turn((turn) => void tool.execute({ trait: 'openness', delta, reasoning: 'r' }, { turn }));
  return { clock, open, adapt };
}

test('fixed traits stand in the stable part, the same bytes on every turn and for every user', async () => {
  const { open, adapt } = world();
  const ada = await open({ persona: 'p', user: 'ada', session: '1' });
  const bob = await open({ persona: 'p', user: 'bob', session: '7' });
  await adapt(ada, 0.1);
  const [first, second] = [await ada.turn(), await bob.turn()];
  expect(first.stable).toEqual(second.stable);
  expect(Object.keys(first.stable)).toEqual(['traits']);
  expect([first.volatile['traits'] !== undefined, second.volatile['traits']]).toEqual([true, undefined]);
});

test('what moved is told in the next turn, in words', async () => {
  const { open, adapt } = world();
  const lane = await open();
  expect((await lane.turn()).volatile).toEqual({});
  await adapt(lane, 0.12);
  const { volatile } = await lane.turn();
  expect(volatile['traits']?.split('\n').slice(1)).toEqual([
    '- Openness: noticeably more than at the outset. Favour the fresh slightly: add one unusual angle or comparison to an otherwise usual answer.',
  ]);
});

test('a small move inside one level is told as a shade', async () => {
  const { open, adapt } = world();
  const lane = await open();
  await adapt(lane, -0.02);
  expect((await lane.turn()).volatile['traits']).toContain('- Openness: slightly less than at the outset.');
});

test('a persona without traits puts nothing into the prompt', async () => {
  const { open } = world();
  const { stable, volatile, operations } = await (await open(undefined, {})).turn();
  expect({ stable, volatile, operations }).toEqual({ stable: {}, volatile: {}, operations: [] });
});

test('damaged scores are told once and read as 0.5', async () => {
  const { open } = world();
  const lane = await open(undefined, { personalityTraits: { openness: 85, charisma: 1 } });
  await lane.turn();
  await lane.turn();
  expect(lane.trace.map(({ type, message }) => [type, message])).toEqual([
    ['WARNING', 'personalityTraits: openness is not a number from 0 to 1; 0.5 is used.'],
    ['WARNING', 'personalityTraits: there is no trait "charisma"; 0.5 is used.'],
  ]);
});

test('FR-278: a change fades by wall time, and how often the lane is opened makes no difference', async () => {
  const values: number[] = [];
  for (const stops of [[14], [1, 13], [0.5, 0.5, 6, 7]]) {
    const { clock, open, adapt } = world();
    await adapt(await open(), 0.1);
    for (const days of stops) {
      await clock.advance(days * DAY);
      await (await open()).turn();
    }
    values.push((await (await open()).state()).traits['openness'] ?? 0);
  }
  for (const value of values) expect(value).toBeCloseTo(0.55, 12);
});

test('within the hour nothing fades, so that the log holds no crumbs', async () => {
  const { clock, open, adapt } = world();
  const lane = await open();
  await adapt(lane, 0.1);
  await clock.advance(3_599_999);
  expect((await lane.turn()).operations).toEqual([]);
  await clock.advance(1);
  expect((await lane.turn()).operations.map(({ operation }) => Object.values(operation)[0])).toEqual(['openness', TRAIT_DECAY_KEY]);
});
