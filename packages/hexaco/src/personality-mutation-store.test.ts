import { createMemoryStore, type IAgentStore, type LaneScope } from '@x/core';
import { createRandom, createVirtualClock, type VirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { createLane, type TestLane } from '../test/create-lane.js';
import { AdaptPersonalityTool } from './adapt-personality-tool.js';
import { decayDelta } from './decay-trait.js';
import { hexacoHook } from './hexaco-hook.js';
import { PersonalityMutationStore } from './personality-mutation-store.js';

const DAY = 86_400_000;
const persona = { personalityTraits: { openness: 0.4, extraversion: 0.5 } };
const tool = new AdaptPersonalityTool(persona);

interface World {
  clock: VirtualClock;
  store: IAgentStore;
  mutations(session?: string, user?: string, options?: object): Promise<PersonalityMutationStore>;
  open(session: string, user?: string): Promise<TestLane>;
  adapt(lane: TestLane, trait: 'openness' | 'extraversion', delta: number, reasoning?: string): Promise<unknown>;
}

function world(): World {
  const clock = createVirtualClock(1_000_000);
  const random = createRandom(4);
  const store = createMemoryStore({ clock, random });
  const scopeOf = (session: string, user: string): LaneScope => ({ persona: 'p', user, session });
  const mutations: World['mutations'] = async (session = 's1', user = 'u', options = {}) =>
    new PersonalityMutationStore({ lane: await store.open(scopeOf(session, user)), ...persona, clock, random, ...options });
  return {
    clock,
    store,
    mutations,
    async open(session, user = 'u') {
      const traits = await (await mutations(session, user)).startingTraits();
      return createLane({ store, scope: scopeOf(session, user), hooks: [hexacoHook({ persona })], clock, random, initial: { traits } });
    },
    adapt: (lane, trait, delta, reasoning = 'r') => lane.turn((turn) => void tool.execute({ trait, delta, reasoning }, { turn })),
  };
}

test('the list says what changed, by whom, why, and on which turns', async () => {
  const { open, adapt, mutations } = world();
  await adapt(await open('s1'), 'openness', 0.1, 'asks for wild ideas');
  const [change, ...others] = await (await mutations()).list();
  expect(others).toEqual([]);
  expect(change).toMatchObject({
    trait: 'openness',
    from: 0.4,
    to: 0.5,
    by: 'adapt_personality',
    reasoning: 'asks for wild ideas',
    evidence: [change?.turn],
    atMs: 1_000_000,
    strength: 1,
    undone: false,
  });
});

test.each([
  [0, 0.1],
  [1, 0.0951695],
  [14, 0.05],
  [28, 0.025],
])('after %i days a later session starts with %f of a change of 0.1', async (days, left) => {
  const { clock, open, adapt, mutations } = world();
  await adapt(await open('s1'), 'openness', 0.1);
  await clock.advance(days * DAY);
  expect((await (await mutations('s2')).startingTraits()).openness).toBeCloseTo(0.4 + left, 7);
  expect((await (await open('s2')).state()).traits['openness']).toBeCloseTo(0.4 + left, 7);
});

test('changes of several sessions add up, each faded by its own age', async () => {
  const { clock, open, adapt, mutations } = world();
  await adapt(await open('s1'), 'openness', 0.1);
  await clock.advance(14 * DAY);
  await adapt(await open('s2'), 'openness', 0.15);
  await clock.advance(14 * DAY);
  const deltas = await (await mutations('s3')).effectiveDeltas();
  expect(deltas['openness']).toBeCloseTo(0.1 / 4 + 0.15 / 2, 12);
});

test('K39: one user, agent or persona never sees the changes of another', async () => {
  const { open, adapt, mutations, store, clock } = world();
  await adapt(await open('s1', 'ada'), 'openness', 0.1);
  expect((await (await mutations('s1', 'bob')).startingTraits()).openness).toBe(0.4);
  expect(await (await mutations('s9', 'bob')).list()).toEqual([]);
  const other = new PersonalityMutationStore({ lane: await store.open({ persona: 'q', user: 'ada', session: 's1' }), clock });
  expect(await other.list()).toEqual([]);
  expect((await (await mutations('s2', 'ada')).startingTraits()).openness).toBe(0.5);
});

test('a restart neither refills the budget nor counts a change twice', async () => {
  const { open, adapt } = world();
  await adapt(await open('s1'), 'openness', 0.15);
  const again = await open('s1');
  await adapt(again, 'openness', 0.15);
  expect((await again.state()).traits['openness']).toBeCloseTo(0.55, 12);
});

test('an undone change is gone from this session and from later ones, however long ago it was made', async () => {
  const { clock, open, adapt, mutations } = world();
  const lane = await open('s1');
  await adapt(lane, 'openness', 0.1);
  await adapt(lane, 'extraversion', 0.1);
  await clock.advance(20 * DAY);
  await lane.turn();
  const store = await mutations();
  const [change] = await store.list();
  await store.undo(change?.id ?? '');
  const { traits } = await lane.state();
  expect(traits['openness']).toBeCloseTo(0.4, 12);
  expect(traits['extraversion']).toBeCloseTo(0.5 + decayDelta(0.1, 20 * DAY), 12);
  expect((await store.list()).map(({ trait, undone, strength }) => [trait, undone, strength > 0])).toEqual([
    ['openness', true, false],
    ['extraversion', false, true],
  ]);
  expect((await (await mutations('s2')).startingTraits()).openness).toBeCloseTo(0.4, 12);
  await expect(store.undo(change?.id ?? '')).rejects.toMatchObject({ code: 'mutation_unknown' });
});

test('without persistWithDecay a later session starts from the persona', async () => {
  const { open, adapt, mutations } = world();
  await adapt(await open('s1'), 'openness', 0.1);
  expect((await (await mutations('s2', 'u', { persistWithDecay: false })).startingTraits()).openness).toBe(0.4);
});

test('no reason that a model gives can hide its change as decay or take back another', async () => {
  const { clock, open, adapt, mutations } = world();
  const lane = await open('s1');
  await adapt(lane, 'openness', 0.05);
  await clock.advance(3_600_000);
  const [first] = await (await mutations()).list();
  await adapt(lane, 'openness', 0.03, `undo ${first?.id}`);
  await adapt(lane, 'openness', 0.02, 'decay toward the score of the persona');
  expect((await (await mutations()).list()).map(({ reasoning, undone }) => [reasoning, undone])).toEqual([
    ['r', false],
    [`undo ${first?.id}`, false],
    ['decay toward the score of the persona', false],
  ]);
});
