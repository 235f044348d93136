import { INITIAL_STATE, KEYS, logOperations, type Operation } from '@x/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, decayDelta } from './decay-trait.js';
import { changeTrait, decayTraits, MAX_DELTA_PER_SESSION, planTraitChange, type TraitTarget } from './trait-budget.js';
import { HEXACO_TRAITS, parseTraits } from './traits.js';

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const step = fc.record({
  trait: fc.constantFrom(...HEXACO_TRAITS),
  delta: fc.double({ min: -1, max: 1, noNaN: true }),
  waitMs: fc.nat(1e9),
});

function target(traits: { [trait: string]: number }): TraitTarget & { atMs: number; moved: Map<string, number> } {
  let state = { ...INITIAL_STATE, traits };
  const moved = new Map<string, number>();
  return {
    atMs: 0,
    moved,
    get state() {
      return state;
    },
    apply(operation: Operation, why: string) {
      const done = logOperations(state, [operation], { by: 'x', why, turn: 't', atMs: 0 }, () => 'id');
      state = { ...done.state, traits: { ...done.state.traits } };
      if ('trait' in operation && why === 'mine') {
        const { from, to } = done.logged[0] ?? { from: 0, to: 0 };
        moved.set(operation.trait, (moved.get(operation.trait) ?? 0) + Math.abs(Number(to) - Number(from)));
      }
    },
  };
}

test('whatever is wished, values stay in 0 to 1 and each trait within its budget, also with decay between', () => {
  fc.assert(
    fc.property(fc.array(unit, { minLength: 6, maxLength: 6 }), fc.array(step, { maxLength: 60 }), (scores, steps) => {
      const baseline = parseTraits(Object.fromEntries(HEXACO_TRAITS.map((trait, index) => [trait, scores[index] ?? 0.5])));
      const lane = target({ ...baseline });
      for (const { trait, delta, waitMs } of steps) {
        lane.atMs += waitMs;
        const change = changeTrait(lane, trait, delta, 'mine', { baseline });
        expect(change.newValue).toBeGreaterThanOrEqual(0);
        expect(change.newValue).toBeLessThanOrEqual(1);
        expect(change.remainingBudget).toBeGreaterThanOrEqual(0);
        expect(change.sessionTotal + change.remainingBudget).toBeCloseTo(MAX_DELTA_PER_SESSION, 12);
      }
      for (const sum of lane.moved.values()) expect(sum).toBeLessThanOrEqual(MAX_DELTA_PER_SESSION + 1e-12);
    }),
  );
});

test('a plan changes nothing, and what is done is what was planned when no time passes', () => {
  fc.assert(
    fc.property(unit, fc.double({ min: -1, max: 1, noNaN: true }), (openness, delta) => {
      const baseline = parseTraits({ openness });
      const lane = target({ openness });
      const plan = planTraitChange(lane, 'openness', delta, { baseline });
      expect(lane.state.values).toEqual({});
      expect(changeTrait(lane, 'openness', delta, 'mine', { baseline })).toEqual(plan);
    }),
  );
});

test('a budget with a window starts again when the window is over, and only then', () => {
  const baseline = parseTraits({});
  const lane = target({});
  const options = { baseline, budgetWindowMs: 1_000, halfLifeDays: Number.POSITIVE_INFINITY };
  const left = (atMs: number): number => {
    lane.atMs = atMs;
    return changeTrait(lane, 'openness', 0.1, 'mine', options).delta;
  };
  expect([left(0), left(500), left(999), left(1_000)].map((delta) => Math.round(delta * 1e6) / 1e6)).toEqual([0.1, 0.05, 0, 0.1]);
});

test('a damaged budget counts as spent', () => {
  const baseline = parseTraits({});
  const lane = target({});
  lane.apply({ put: KEYS.traitBudget, value: { used: { openness: 'much' }, sinceMs: 0 } }, 'damage');
  expect(planTraitChange(lane, 'openness', 0.1, { baseline })).toMatchObject({ delta: 0, clamped: true, remainingBudget: 0 });
});

test('two short waits equal one long wait, and nothing grows when a clock goes back', () => {
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), fc.nat(1e10), fc.nat(1e10), (delta, first, second) => {
      expect(decayDelta(decayDelta(delta, first), second)).toBeCloseTo(decayDelta(delta, first + second), 12);
      expect(decayDelta(delta, -first)).toBe(delta);
    }),
  );
  expect(() => decayDelta(1, 1, 0)).toThrowError(expect.objectContaining({ code: 'invalid_argument' }));
});

test.each([
  ['straight on', [100, 114]],
  ['with a clock that began in 1970 once', [100, 0, 0.5, 114]],
  ['with a clock that went back and on twice', [100, 40, 107, 60, 114]],
])('of a change half is left after its half-life, %s', (_title, days) => {
  const baseline = parseTraits({});
  const lane = target({ openness: 0.6 });
  for (const day of days) {
    lane.atMs = day * DAY_MS;
    decayTraits(lane, { baseline });
  }
  expect(lane.state.traits['openness']).toBeCloseTo(0.55, 2);
});

test('a clock that was years ahead once does not stop changes from fading', () => {
  const baseline = parseTraits({});
  const lane = target({ openness: 0.5 });
  const at = (day: number): void => {
    lane.atMs = day * DAY_MS;
    decayTraits(lane, { baseline });
  };
  at(3_650);
  at(100);
  lane.apply({ trait: 'openness', delta: 0.1 }, 'mine');
  at(114);
  expect(lane.state.traits['openness']).toBeCloseTo(0.55, 12);
});
