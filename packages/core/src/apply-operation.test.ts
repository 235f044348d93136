import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AgentState,
  applyOperation,
  IMPRINT_LIMITS,
  INITIAL_STATE,
  inverseOperation,
  isAgentosError,
  logOperations,
  type Operation,
  relogOperations,
} from './index.js';

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    return isAgentosError(error) ? error.code : String(error);
  }
};

test('each operation gives the new state and the value before and after', () => {
  const steps: [Operation, unknown, unknown, Partial<AgentState>][] = [
    [{ set: 'mood', to: 'EMPATHETIC' }, 'neutral', 'empathetic', { mood: 'empathetic' }],
    [{ set: 'skill', to: 'expert' }, 'novice', 'expert', { skill: 'expert' }],
    [{ set: 'complexity', to: 'medium' }, 'moderate', 'moderate', { complexity: 'moderate' }],
    [{ set: 'language', to: 'de-AT' }, null, 'de-AT', { language: 'de-AT' }],
    [{ put: 'n', value: 1 }, null, 1, { values: { n: 1 } }],
    [{ imprint: 'pet', value: 'cat' }, null, 'cat', { imprints: { pet: 'cat' } }],
    [{ trait: 'openness', delta: 0.1 }, 0.5, 0.6, { traits: { openness: 0.6 } }],
    [{ trait: 'openness', delta: 9 }, 0.6, 1, { traits: { openness: 1 } }],
    [{ unset: 'imprint:pet' }, 'cat', null, { imprints: {} }],
    [{ unset: 'n' }, 1, null, { values: {} }],
  ];
  let state: AgentState = INITIAL_STATE;
  for (const [operation, from, to, change] of steps) {
    const applied = applyOperation(state, operation);
    expect(applied).toEqual({ state: { ...state, ...change }, from, to });
    state = applied.state;
  }
});

test.each<[string, unknown]>([
  ['an unknown mood', { set: 'mood', to: 'helpful' }],
  ['a skill off the scale', { set: 'skill', to: '99' }],
  ['a field that cannot be set', { set: 'traits', to: 'x' }],
  ['a prototype key', { put: '__proto__', value: 1 }],
  ['a blank key', { put: ' ', value: 1 }],
  ['an imprint over state', { imprint: 'currentGmiMood', value: 'x' }],
  ['an imprint that arms a trigger', { imprint: 'manual_trigger_x', value: true }],
  ['an imprint through put', { put: 'imprint:x', value: 1 }],
  ['a long imprint key', { imprint: 'k'.repeat(129), value: 1 }],
  ['a large imprint', { imprint: 'k', value: 'v'.repeat(5_000) }],
  ['a delta that is not finite', { trait: 'openness', delta: Number.NaN }],
])('%s is refused', (_title, operation) => {
  expect(codeOf(() => applyOperation(INITIAL_STATE, operation as Operation))).toBe('operation_refused');
});

test('the oldest imprint leaves when there is no room, and a renewed one is young again', () => {
  let state: AgentState = INITIAL_STATE;
  for (let n = 0; n < IMPRINT_LIMITS.maxEntries; n += 1) state = applyOperation(state, { imprint: `k${n}`, value: n }).state;
  state = applyOperation(state, { imprint: 'k0', value: 'again' }).state;
  state = applyOperation(state, { imprint: 'new', value: 1 }).state;
  expect([Object.keys(state.imprints).length, state.imprints['k0'], state.imprints['k1']]).toEqual([
    IMPRINT_LIMITS.maxEntries,
    'again',
    undefined,
  ]);
});

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ set: fc.constant('mood' as const), to: fc.constantFrom('neutral', 'curious', 'creative') }),
  fc.record({ set: fc.constant('skill' as const), to: fc.constantFrom('novice', 'expert') }),
  fc.record({ put: fc.constantFrom('a', 'b'), value: fc.constantFrom(1, 'x', [true]) }),
  fc.record({ imprint: fc.constantFrom('p', 'q'), value: fc.constantFrom(1, 'x') }),
  fc.record({ trait: fc.constantFrom('openness', 'honesty'), delta: fc.constantFrom(0.125, -0.125, 0.25) }),
  fc.record({ unset: fc.constantFrom('a', 'imprint:p', 'language') }),
);

test('the inverse of each operation, last first, restores the values', () =>
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
      let id = 0;
      const start: AgentState = { ...INITIAL_STATE, traits: { openness: 0.5, honesty: 0.5 } };
      const { state, logged } = logOperations(start, operations, { by: 'test', why: 'law', turn: 't', atMs: 0 }, () => `${id++}`);
      const real = logged.filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
      const undone = [...real].reverse().reduce((current, entry) => applyOperation(current, inverseOperation(entry)).state, state);
      expect(undone).toEqual(start);
    }),
  ));

test('relogging on another state computes from and to anew and adds trait steps', () => {
  const { logged } = logOperations(
    INITIAL_STATE,
    [
      { trait: 'openness', delta: 0.25 },
      { set: 'mood', to: 'curious' },
    ],
    { by: 'a', why: 'b', turn: 't', atMs: 1 },
    () => 'id',
  );
  const moved = { ...INITIAL_STATE, mood: 'focused', traits: { openness: 0.625 } };
  const again = relogOperations(moved, logged);
  expect(again.logged.map(({ from, to }) => [from, to])).toEqual([
    [0.625, 0.875],
    ['focused', 'curious'],
  ]);
});
