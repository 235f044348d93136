import { IMPRINT_LIMITS, INITIAL_STATE, inverseOperation, logOperations } from '@x/core';
import { createRandom } from '@x/testkit';
import { expect, test } from 'vitest';
import { collectChanges } from './collect-changes.js';

const cause = { by: 'metaprompts', turn: 't1', atMs: 0 };
const fill = Array.from({ length: IMPRINT_LIMITS.maxEntries }, (_, index) => ({ imprint: `k${index}`, value: index }));

test('an imprint that leaves so that another finds room is an entry of its own, and can be taken back', () => {
  const { state: full } = logOperations(INITIAL_STATE, fill, { ...cause, why: 'fill' }, () => 'op');
  const { change, operations, state } = collectChanges(full, cause, { random: createRandom(1), trace: () => undefined });
  change.apply({ imprint: 'new', value: 'v' }, 'learned');
  expect(operations.map(({ operation, by, why, from, to }) => ({ operation, by, why, from, to }))).toEqual([
    { operation: { unset: 'imprint:k0' }, by: 'metaprompts', why: 'learned', from: 0, to: null },
    { operation: { imprint: 'new', value: 'v' }, by: 'metaprompts', why: 'learned', from: null, to: 'v' },
  ]);
  const back = [...operations].reverse().map((entry) => inverseOperation(entry));
  const { state: undone } = logOperations(state(), back, { ...cause, why: 'undo' }, () => 'op');
  expect(undone.imprints).toEqual(full.imprints);
});
