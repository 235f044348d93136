import { expect, test } from 'vitest';
import { IMPRINT_LIMITS, INITIAL_STATE, type Logged, logOperation, logOperations } from './index.js';

const cause = { by: 'test', why: 'a reason', turn: 't1', atMs: 5 };

test('one operation goes to the end of a log as it does in a list', () => {
  const log: Logged[] = [];
  let state = logOperation(log, INITIAL_STATE, 'a', { put: 'n', value: 1 }, cause);
  state = logOperation(log, state, 'b', { set: 'mood', to: 'curious' }, cause);
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
  expect({ state, logged: log }).toEqual(both);
  expect(log[0]).toEqual({ id: 'a', operation: { put: 'n', value: 1 }, ...cause, from: null, to: 1 });
});

test('an operation that is refused leaves the log as it was, also where an imprint would have left for it', () => {
  const log: Logged[] = [];
  let state = INITIAL_STATE;
  for (let n = 0; n < IMPRINT_LIMITS.maxEntries; n += 1) state = logOperation(log, state, `i${n}`, { imprint: `k${n}`, value: n }, cause);
  const before = [...log];
  const tooLong = { imprint: 'one more', value: 'x'.repeat(IMPRINT_LIMITS.maxValueChars + 1) };
  expect(() => logOperation(log, state, 'x', tooLong, cause)).toThrow(expect.objectContaining({ code: 'operation_refused' }));
  for (const wrong of [null, undefined, 'put']) {
    expect(() => logOperation(log, state, 'x', wrong as never, cause)).toThrow(expect.objectContaining({ code: 'operation_refused' }));
  }
  expect(log).toEqual(before);
  const after = logOperation(log, state, 'y', { imprint: 'one more', value: 'fits' }, cause);
  expect(log.slice(before.length).map(({ operation }) => operation)).toEqual([
    { unset: 'imprint:k0' },
    { imprint: 'one more', value: 'fits' },
  ]);
  expect(Object.keys(after.imprints)).toHaveLength(IMPRINT_LIMITS.maxEntries);
});

test('what a state holds after an operation is frozen: a hook that keeps it cannot change the log', () => {
  const value = { list: [{ n: 1 }] };
  const log: Logged[] = [];
  const state = logOperation(log, INITIAL_STATE, 'a', { put: 'k', value }, cause);
  value.list[0]!.n = 2;
  expect(state.values['k']).toEqual({ list: [{ n: 1 }] });
  expect(() => {
    (state.values['k'] as unknown as typeof value).list[0]!.n = 3;
  }).toThrow(TypeError);
});
