import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AgentState,
  applyCopies,
  applyOperation,
  freezeDeep,
  IMPRINT_LIMITS,
  INITIAL_STATE,
  imprintEntries,
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

const learn = (state: AgentState, keys: readonly string[]): AgentState =>
  keys.reduce((now, key) => applyOperation(now, { imprint: key, value: key }).state, state);
const cause = { by: 'test', why: 'law', turn: 't', atMs: 0 };
const ids = () => {
  let next = 0;
  return () => `op-${next++}`;
};

test('keys that are whole numbers are as old as they are, not older', () => {
  const state = learn(INITIAL_STATE, [...Array.from({ length: IMPRINT_LIMITS.maxEntries - 1 }, (_unused, n) => `k${n}`), '2031']);
  expect(imprintEntries(state).at(-1)).toEqual(['2031', '2031']);
  const later = learn(state, ['new']);
  expect([later.imprints['2031'], later.imprints['k0']]).toEqual(['2031', undefined]);
  expect(imprintEntries(later).slice(-2)).toEqual([
    ['2031', '2031'],
    ['new', 'new'],
  ]);
  const without = applyOperation(later, { unset: 'imprint:2031' }).state;
  expect(without.values).toEqual({});
  expect(imprintEntries(without).length).toBe(IMPRINT_LIMITS.maxEntries - 1);
});

test('an imprint that leaves for want of room is logged, and undo brings it back', () => {
  const start = learn(
    INITIAL_STATE,
    Array.from({ length: IMPRINT_LIMITS.maxEntries }, (_unused, n) => `k${n}`),
  );
  const { state, logged } = logOperations(start, [{ imprint: 'new', value: 1 }], cause, ids());
  expect(logged.map(({ operation, from, to }) => [operation, from, to])).toEqual([
    [{ unset: 'imprint:k0' }, 'k0', null],
    [{ imprint: 'new', value: 1 }, null, 1],
  ]);
  expect(new Set(logged.map(({ id }) => id)).size).toBe(2);
  expect(state).toEqual(applyOperation(start, { imprint: 'new', value: 1 }).state);
  const undone = [...logged].reverse().reduce((now, entry) => applyOperation(now, inverseOperation(entry)).state, state);
  expect(undone).toEqual(start);
});

test('on a newer state the imprint that is oldest there leaves, also when another left before', () => {
  const keys = Array.from({ length: IMPRINT_LIMITS.maxEntries }, (_unused, n) => `k${n}`);
  const start = learn(INITIAL_STATE, keys);
  const { logged } = logOperations(start, [{ imprint: 'mine', value: 1 }], cause, ids());
  const again = relogOperations(learn(start, ['theirs']), logged);
  expect(again.logged.map(({ operation, from, to }) => [operation, from, to])).toEqual([
    [{ unset: 'imprint:k0' }, null, null],
    [{ unset: 'imprint:k1' }, 'k1', null],
    [{ imprint: 'mine', value: 1 }, null, 1],
  ]);
  expect(new Set(again.logged.map(({ id }) => id)).size).toBe(3);
});

test.each(['language', 'domain', 'imprint:p', 'a'])('taking back that %s was removed, when there was none, changes nothing', (key) => {
  const { logged } = logOperations(INITIAL_STATE, [{ unset: key }], cause, ids());
  expect(applyOperation(INITIAL_STATE, inverseOperation(logged[0]!)).state).toEqual(INITIAL_STATE);
});

test('anything at all is applied or refused by a typed error, which repeats no text of a user', () => {
  const field = fc.constantFrom('set', 'put', 'imprint', 'trait', 'unset', 'to', 'value', 'delta');
  const word = fc.oneof(fc.anything(), fc.constantFrom('mood', 'language', 'constructor', 'imprint:', 'hunter2 is mine'));
  fc.assert(
    fc.property(fc.dictionary(field, word), (operation) => {
      try {
        applyOperation(INITIAL_STATE, operation as never);
      } catch (error) {
        if (!isAgentosError(error)) throw error;
        expect(error.message).not.toContain('hunter2');
      }
    }),
  );
});

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ set: fc.constant('mood' as const), to: fc.constantFrom('neutral', 'curious', 'creative') }),
  fc.record({ set: fc.constant('skill' as const), to: fc.constantFrom('novice', 'expert') }),
  fc.record({ put: fc.constantFrom('a', 'b'), value: fc.constantFrom(1, 'x', [true]) }),
  fc.record({ imprint: fc.constantFrom('p', 'q'), value: fc.constantFrom(1, 'x') }),
  fc.record({ trait: fc.constantFrom('openness', 'honesty'), delta: fc.constantFrom(0.125, -0.125, 0.25) }),
  fc.record({ unset: fc.constantFrom('a', 'imprint:p', 'language', 'domain') }),
  fc.record({ set: fc.constant('domain' as const), to: fc.constantFrom('trees', 'loops') }),
);

test('applied together, operations give what they give one after the other', () =>
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
      const start = freezeDeep({ ...INITIAL_STATE, values: { a: 0 }, imprints: { p: 0 } });
      const told: unknown[] = [];
      const wanted: unknown[] = [];
      let state: AgentState = start;
      for (const one of operations) {
        const { from, to, state: next } = applyOperation(state, one);
        wanted.push([from, to, wanted.length]);
        state = next;
      }
      expect(applyCopies(start, operations, (...about) => told.push(about))).toEqual(state);
      expect(told).toEqual(wanted);
    }),
  ));

test.each<[unknown, string]>([
  [{ put: 'a' }, 'json_value_invalid'],
  [{ imprint: 'a' }, 'json_value_invalid'],
  [{ put: 'constructor', value: 1 }, 'operation_refused'],
  [{ put: 'imprint:a', value: 1 }, 'operation_refused'],
  [{ set: 'mood', to: 'nonsense', put: 'a', value: 1 }, 'operation_refused'],
  [null, 'operation_refused'],
])('applied together, %j is refused', (one, code) => {
  const start = freezeDeep({ ...INITIAL_STATE, values: { a: 0 } });
  expect(() => applyCopies(start, [{ put: 'b', value: 1 }, one as Operation])).toThrow(expect.objectContaining({ code }));
  expect(start.values).toEqual({ a: 0 });
});

test('the inverse of each operation, last first, restores the values', () =>
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
      let id = 0;
      const start: AgentState = { ...INITIAL_STATE, traits: { openness: 0.5, honesty: 0.5 } };
      const { state, logged } = logOperations(start, operations, { by: 'test', why: 'law', turn: 't', atMs: 0 }, () => `${id++}`);
      const undone = [...logged].reverse().reduce((current, entry) => applyOperation(current, inverseOperation(entry)).state, state);
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

test('what is no operation is refused by its code, and a mood is not put beside the one that holds', () => {
  const refused = expect.objectContaining({ code: 'operation_refused' });
  for (const none of [null, undefined, 'x', 5]) expect(() => applyOperation(INITIAL_STATE, none as never)).toThrow(refused);
  expect(() => applyOperation(INITIAL_STATE, { put: 'currentGmiMood', value: 'curious' })).toThrow(refused);
});
