import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AgentosError,
  type AgentState,
  applyOperation,
  IMPRINT_LIMITS,
  INITIAL_STATE,
  LoggedState,
  logOperations,
  type Operation,
} from './index.js';

const cause = { by: 'test', why: 'a reason', turn: 't1', atMs: 5 };

test('one operation goes to the end of a log as it does in a list', () => {
  const now = new LoggedState(INITIAL_STATE);
  now.apply('a', { put: 'n', value: 1 }, cause);
  now.apply('b', { set: 'mood', to: 'curious' }, cause);
  const ids = ['a', 'b'];
  const both = logOperations(
    INITIAL_STATE,
    [
      { put: 'n', value: 1 },
      { set: 'mood', to: 'curious' },
    ],
    cause,
    () => ids.shift()!,
  );
  expect({ state: now.state, logged: now.log }).toEqual(both);
  expect(now.log[0]).toEqual({ id: 'a', operation: { put: 'n', value: 1 }, ...cause, from: null, to: 1 });
});

test('an operation that is refused leaves the log as it was, also where an imprint would have left for it', () => {
  const now = new LoggedState(INITIAL_STATE);
  for (let n = 0; n < IMPRINT_LIMITS.maxEntries; n += 1) now.apply(`i${n}`, { imprint: `k${n}`, value: n }, cause);
  const [before, state] = [[...now.log], now.state];
  const tooLong = { imprint: 'one more', value: 'x'.repeat(IMPRINT_LIMITS.maxValueChars + 1) };
  expect(() => now.apply('x', tooLong, cause)).toThrow(expect.objectContaining({ code: 'operation_refused' }));
  for (const wrong of [null, undefined, 'put', { put: 'n', value: Number.NaN }, { put: '__proto__', value: 1 }]) {
    expect(() => now.apply('x', wrong as never, cause)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(operation_refused|json_value_invalid)$/) }),
    );
  }
  expect([now.log, now.state]).toEqual([before, state]);
  now.apply('y', { imprint: 'one more', value: 'fits' }, cause);
  expect(now.log.slice(before.length).map(({ operation }) => operation)).toEqual([
    { unset: 'imprint:k0' },
    { imprint: 'one more', value: 'fits' },
  ]);
  expect(Object.keys(now.state.imprints)).toHaveLength(IMPRINT_LIMITS.maxEntries);
});

test('what a state holds after an operation is frozen: a hook that keeps it cannot change the log', () => {
  const value = { list: [{ n: 1 }] };
  const { state } = logOperations(INITIAL_STATE, [{ put: 'k', value }], cause, () => 'a');
  value.list[0]!.n = 2;
  expect(state.values['k']).toEqual({ list: [{ n: 1 }] });
  expect(() => {
    (state.values['k'] as unknown as typeof value).list[0]!.n = 3;
  }).toThrow(TypeError);
});

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ put: fc.constantFrom('a', 'b', 'c', ' ', 'imprint:x'), value: fc.oneof(fc.integer(), fc.constant({ list: [1] })) }),
  fc.record({ unset: fc.constantFrom('a', 'b', 'language') }),
  fc.record({ imprint: fc.constantFrom('x', 'y'), value: fc.integer() }),
  fc.record({ trait: fc.constantFrom('openness'), delta: fc.double({ min: -0.2, max: 0.2, noNaN: true }) }),
  fc.record({ set: fc.constant('mood' as const), to: fc.constantFrom('curious', 'nonsense') }),
);

test('a state that was read stays as it was read, and all are as if each operation had been applied alone', () =>
  fc.assert(
    fc.property(fc.array(fc.tuple(operation, fc.boolean()), { maxLength: 30 }), (steps) => {
      const now = new LoggedState(INITIAL_STATE);
      const read: { readonly seen: AgentState; readonly was: string }[] = [];
      let alone = INITIAL_STATE;
      let entries = 0;
      for (const [step, isRead] of steps) {
        let expected: AgentState | undefined;
        try {
          expected = applyOperation(alone, step).state;
        } catch {
          // Refused: the other one refuses it as well.
        }
        if (expected === undefined) expect(() => now.apply('x', step, cause)).toThrow(AgentosError);
        else {
          now.apply('x', step, cause);
          alone = expected;
          entries += 1;
        }
        if (isRead) read.push({ seen: now.state, was: JSON.stringify(alone) });
      }
      expect(now.state).toEqual(alone);
      expect(now.log).toHaveLength(entries);
      for (const { seen, was } of read) expect(JSON.stringify(seen)).toBe(was);
    }),
  ));
