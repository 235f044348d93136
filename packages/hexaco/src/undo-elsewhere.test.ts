import { createMemoryStore, type LaneScope } from '@x/core';
import { createRandom, createVirtualClock } from '@x/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLane, type TestLane } from '../test/create-lane.js';
import { AdaptPersonalityTool } from './adapt-personality-tool.js';
import { hexacoHook } from './hexaco-hook.js';
import { PersonalityMutationStore } from './personality-mutation-store.js';
import type { Traits } from './traits.js';

const DAY = 86_400_000;
const persona = { personalityTraits: { openness: 0.4, extraversion: 0.5 } };
const tool = new AdaptPersonalityTool({ ...persona, maxDeltaPerSession: 1 });

function world(baseline: { readonly personalityTraits: { readonly [trait: string]: number } } = persona) {
  const clock = createVirtualClock(1_000_000);
  const random = createRandom(4);
  const store = createMemoryStore({ clock, random });
  const scopeOf = (session: string): LaneScope => ({ persona: 'p', user: 'u', session });
  const initial = new Map<string, Traits>();
  const mutations = async (session: string): Promise<PersonalityMutationStore> => {
    const traits = initial.get(session);
    const lane = await store.open(scopeOf(session), traits && { initial: { traits } });
    return new PersonalityMutationStore({ lane, ...baseline, clock, random });
  };
  return {
    clock,
    mutations,
    async open(session: string): Promise<TestLane> {
      const traits = await (await mutations(session)).startingTraits();
      initial.set(session, traits);
      return createLane({ store, scope: scopeOf(session), hooks: [hexacoHook({ persona: baseline })], clock, random, initial: { traits } });
    },
    /** Opened by a host that gives traits of its own. */
    host: (session: string, value: number): Promise<TestLane> => {
      const traits = { openness: value };
      initial.set(session, traits as Traits);
      return createLane({ store, scope: scopeOf(session), hooks: [hexacoHook({ persona: baseline })], clock, random, initial: { traits } });
    },
    bare: (session: string): Promise<TestLane> => createLane({ store, scope: scopeOf(session), hooks: [], clock, random }),
    adapt: (lane: TestLane, delta: number, trait = 'openness') =>
      lane.turn((turn) => void tool.execute({ trait, delta, reasoning: 'r' } as never, { turn })),
    async ids(): Promise<readonly string[]> {
      return (await (await mutations('s1')).list()).map(({ id }) => id);
    },
    async undo(session: string, id: string | undefined): Promise<void> {
      await (await mutations(session)).undo(id ?? '');
    },
  };
}
const openness = async (lane: TestLane): Promise<number> => (await lane.state()).traits['openness'] ?? Number.NaN;

describe('a change of another session', () => {
  test('takes along what this session inherited of it when it was opened, and no more', async () => {
    const { clock, open, adapt, ids, undo, mutations } = world();
    await adapt(await open('s1'), 0.1);
    await clock.advance(14 * DAY);
    const later = await open('s2');
    expect(await openness(later)).toBeCloseTo(0.45, 12);
    await undo('s2', (await ids())[0]);
    expect(await openness(later)).toBeCloseTo(0.4, 12);
    expect((await (await mutations('s3')).startingTraits()).openness).toBeCloseTo(0.4, 12);
  });

  test('takes along what has faded since, too', async () => {
    const { clock, open, adapt, ids, undo } = world();
    await adapt(await open('s1'), 0.1);
    await clock.advance(14 * DAY);
    const later = await open('s2');
    await later.turn();
    await clock.advance(14 * DAY);
    await later.turn();
    expect(await openness(later)).toBeCloseTo(0.425, 12);
    await undo('s2', (await ids())[0]);
    expect(await openness(later)).toBeCloseTo(0.4, 12);
  });

  test('leaves a session alone that was opened before it, whatever that inherited of older ones', async () => {
    const { clock, open, adapt, ids, undo } = world();
    await adapt(await open('s0'), 0.2);
    await clock.advance(14 * DAY);
    const [first, second] = [await open('s1'), await open('s2')];
    await second.turn();
    await clock.advance(DAY);
    await adapt(first, 0.1);
    const before = await openness(second);
    const [old, young] = await ids();
    await undo('s2', young);
    expect(await openness(second)).toBe(before);
    await undo('s2', old);
    expect(await openness(second)).toBeCloseTo(0.4, 12);
  });

  test('leaves a session alone whose first turn came after it, but which was opened before', async () => {
    const { clock, open, adapt, ids, undo } = world();
    await adapt(await open('s0'), 0.2);
    await clock.advance(14 * DAY);
    const [first, second] = [await open('s1'), await open('s2')];
    await clock.advance(DAY);
    await adapt(first, 0.1);
    await clock.advance(DAY);
    await second.turn();
    const [, young] = await ids();
    await undo('s2', young);
    expect(await openness(second)).toBeCloseTo(0.5, 12);
  });

  test('leaves a session alone that was opened in the same moment, without it', async () => {
    const { open, adapt, ids, undo } = world();
    const [first, second] = [await open('s1'), await open('s2')];
    await second.turn();
    await adapt(first, 0.1);
    await undo('s2', (await ids())[0]);
    expect([await openness(first), await openness(second)]).toEqual([0.5, 0.4]);
  });

  test('can still be taken back where it was made, once', async () => {
    const { clock, open, adapt, ids, undo } = world();
    const first = await open('s1');
    await adapt(first, 0.1);
    await clock.advance(14 * DAY);
    const later = await open('s2');
    const [id] = await ids();
    await undo('s2', id);
    await expect(undo('s2', id)).rejects.toMatchObject({ code: 'mutation_unknown' });
    await first.turn();
    await undo('s1', id);
    expect([await openness(first), await openness(later)]).toEqual([expect.closeTo(0.4, 12), expect.closeTo(0.4, 12)]);
    await expect(undo('s1', id)).rejects.toMatchObject({ code: 'mutation_unknown' });
    await expect(undo('s3', id)).rejects.toMatchObject({ code: 'mutation_unknown' });
  });

  test('that the bound of the scale cut short takes along only what came through', async () => {
    const baseline = { personalityTraits: { openness: 0.9 } };
    const { open, adapt, ids, undo } = world(baseline);
    const [first, second] = [await open('s1'), await open('s2')];
    await adapt(first, 0.08);
    await adapt(second, 0.06);
    const third = await open('s3');
    expect(await openness(third)).toBe(1);
    const [large, small] = await ids();
    await undo('s3', large);
    expect(await openness(third)).toBeCloseTo(0.96, 12);
    await undo('s3', small);
    expect(await openness(third)).toBeCloseTo(0.9, 12);
  });

  test('leaves a session alone to which the host gave traits of its own', async () => {
    const { open, adapt, ids, undo, host } = world();
    await adapt(await open('s1'), 0.1);
    const given = await host('s2', 0.7);
    await given.turn();
    await undo('s2', (await ids())[0]);
    expect(await openness(given)).toBe(0.7);
  });

  test('gives a session that has no number for the trait none but the persona own', async () => {
    const { open, adapt, ids, undo, bare } = world();
    await adapt(await open('s1'), 0.1);
    await undo('s9', (await ids())[0]);
    expect(await openness(await bare('s9'))).toBe(0.4);
  });
});

test('changes taken back one after the other, here and there, leave the persona own score everywhere', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(fc.constantFrom('s1', 's2', 's3', 's4'), fc.double({ min: -0.1, max: 0.1, noNaN: true }), fc.integer({ min: 1, max: 20 })),
        {
          minLength: 1,
          maxLength: 8,
        },
      ),
      async (steps) => {
        const { clock, open, adapt, ids, undo } = world();
        const lanes = new Map<string, TestLane>();
        for (const [session, delta, days] of steps) {
          const lane = lanes.get(session) ?? (await open(session));
          if (!lanes.has(session)) await lane.turn();
          lanes.set(session, lane);
          await adapt(lane, delta);
          await clock.advance(days * DAY);
        }
        for (const [session, lane] of lanes) {
          for (const id of await ids()) await undo(session, id).catch(() => undefined);
          expect(await openness(lane)).toBeCloseTo(0.4, 6);
        }
      },
    ),
    { numRuns: 60 },
  );
});
