import { expect, test } from 'vitest';
import { PersonaDriftMechanism, type ScoredTurn } from './persona-drift-mechanism.js';
import { HEXACO_TRAITS } from './traits.js';

const turns = (count: number, valence: number, arousal: number): ScoredTurn[] =>
  Array.from({ length: count }, (_, index) => ({ valence, arousal, turn: `t${index}`, atMs: index }));
const on = new PersonaDriftMechanism({ enabled: true });
const deltas = (traces: readonly ScoredTurn[], options = {}, traits = {}) =>
  on.analyzePersonaDrift(traces, traits, options).map(({ trait, delta }) => [trait, delta]);

test.each([
  ['ten unpleasant, excited turns', turns(10, -0.6, 0.7), [['agreeableness', -0.022]]],
  ['ten pleasant, lively turns', turns(10, 0.6, 0.6), [['extraversion', 0.022]]],
  ['fifty furious turns', turns(50, -0.9, 0.9), [['agreeableness', -0.05]]],
  ['ten calm, even turns', turns(10, 0, 0.2), [['conscientiousness', 0.011]]],
])('%s: the figures of the original, without the traits that are the operator’s', (_name, traces, expected) => {
  expect(deltas(traces)).toEqual(expected);
});

test('a strained relationship adds to what the turns show, and never moves honesty', () => {
  const relationship = { trust: -30, tension: 20 };
  expect(deltas(turns(10, 0, 0.3), { relationship })).toEqual([]);
  const mixed = [...turns(3, -0.6, 0.7), ...turns(7, 0, 0.5)];
  expect(deltas(mixed).map(([trait]) => trait)).toEqual(['agreeableness']);
  expect(on.analyzePersonaDrift(mixed, {}, { relationship })[0]?.delta).toBeLessThan(on.analyzePersonaDrift(mixed, {})[0]?.delta ?? 0);
});

test('nothing is proposed when it is off or there is too little evidence', () => {
  expect(new PersonaDriftMechanism().analyzePersonaDrift(turns(50, -0.9, 0.9), {})).toEqual([]);
  expect(deltas(turns(9, -0.9, 0.9))).toEqual([]);
});

test('there are at most two proposals, of two different traits, the larger first', () => {
  const all = [...turns(40, -0.9, 0.9), ...turns(40, 0.9, 0.9), ...turns(70, 0, 0.1)];
  const proposals = new PersonaDriftMechanism({ enabled: true, emotionalWeighting: false }).analyzePersonaDrift(
    all,
    {},
    { relationship: { affection: 90, tension: 90, respect: 90 } },
  );
  expect(proposals.length).toBe(2);
  expect(new Set(proposals.map(({ trait }) => trait)).size).toBe(2);
  expect(Math.abs(proposals[0]?.delta ?? 0)).toBeGreaterThanOrEqual(Math.abs(proposals[1]?.delta ?? 0));
  expect(proposals.every(({ reasoning }) => Number(/\((\d+) %/.exec(reasoning)?.[1]) <= 100)).toBe(true);
});

test('the cap holds, and a value at the edge of the scale does not leave it', () => {
  const strict = new PersonaDriftMechanism({ enabled: true, maxDeltaPerCycle: 0.03 });
  expect(strict.analyzePersonaDrift(turns(50, -0.9, 0.9), {})[0]?.delta).toBe(-0.03);
  const [low] = on.analyzePersonaDrift(turns(50, -0.9, 0.9), { agreeableness: 0.02 });
  expect(0.02 + (low?.delta ?? 0)).toBeGreaterThanOrEqual(0);
});

test('K40, FR-275: the step shrinks toward a bound', () => {
  const sizes = [0.5, 0.7, 0.9, 0.98].map((extraversion) => on.analyzePersonaDrift(turns(50, 0.9, 0.9), { extraversion })[0]?.delta ?? 0);
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  expect(sizes[3]).toBeLessThan(0.005);
});

test('FR-277: evidence that agrees again allows a larger step, up to the cap', () => {
  const step = (agreeing: number) =>
    on.analyzePersonaDrift(turns(20, 0.6, 0.6), {}, { trend: { extraversion: { direction: 1, agreeing } } })[0]?.delta ?? 0;
  expect([0, 1, 2, 9].map(step)).toEqual([0.029, 0.044, 0.05, 0.05]);
});

test('hysteresis: to turn a trend round takes more than half of the turns', () => {
  const third = [...turns(8, -0.6, 0.7), ...turns(12, 0.1, 0.5)];
  const half = [...turns(12, -0.6, 0.7), ...turns(8, 0.1, 0.5)];
  const trend = { agreeableness: { direction: 1, agreeing: 1 } } as const;
  expect([deltas(third).length, deltas(third, { trend }).length, deltas(half, { trend }).length]).toEqual([1, 0, 1]);
});

test('turns with impossible figures are no evidence', () => {
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, 5].flatMap((valence) => turns(10, valence, 0.9));
  expect(deltas([...odd, ...turns(9, -0.9, 0.9), ...turns(20, -0.9, -0.9)])).toEqual([]);
});

test('each proposal names turns that show its pattern', () => {
  const [proposal] = on.analyzePersonaDrift(
    [...turns(5, 0, 0.5), ...turns(10, -0.9, 0.9).map((turn) => ({ ...turn, turn: `angry-${turn.turn}` }))],
    {},
  );
  expect(proposal?.evidence.every((turn) => turn.startsWith('angry-'))).toBe(true);
  expect(proposal?.evidence).toHaveLength(10);
});

test('no traces, however chosen, propose a trait of the operator or leave the cap', () => {
  const extremes = [-1, -0.5, 0, 0.5, 1].flatMap((valence) => [0, 0.5, 1].map((arousal) => turns(60, valence, arousal)));
  const proposals = extremes.flatMap((traces) =>
    on.analyzePersonaDrift(traces, {}, { relationship: { trust: -100, tension: 100, affection: 100, respect: 100 } }),
  );
  expect(proposals.filter(({ trait }) => trait === 'honesty' || trait === 'emotionality')).toEqual([]);
  expect(proposals.every(({ delta, trait }) => Math.abs(delta) <= 0.05 && HEXACO_TRAITS.includes(trait))).toBe(true);
});

test.each([{ analysisInterval: 0 }, { minTracesForAnalysis: 0.5 }, { maxDeltaPerCycle: 0 }, { maxDeltaPerCycle: Number.NaN }])(
  '%j is refused',
  (config) => {
    expect(() => new PersonaDriftMechanism(config)).toThrowError(expect.objectContaining({ code: 'invalid_argument' }));
  },
);
