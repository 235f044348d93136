import type { Block, Commit } from '@x/core';
import { expect, test } from 'vitest';
import { createCommitCheck } from './check-commit.js';

const commit = (blocks: readonly Block[]): Commit => ({
  revision: 0,
  turn: 't',
  operations: [],
  events: [],
  batches: { add: [], done: [] },
  conversation: { id: 'main', append: [], blocks, stableHash: '' },
});

test('a note is kept as it was told, whoever changes it later; a frozen one is the same object, known at a glance', () => {
  const check = createCommitCheck();
  const frozen = Object.freeze({ before: 'a', part: 'state', text: 'calm' });
  const open = { before: 'a', part: 'mood', text: 'curious' };
  const first = check(commit([frozen, open])).conversation!.blocks;
  open.text = 'changed';
  expect(first).toEqual([frozen, { ...open, text: 'curious' }]);
  expect(first[0]).toBe(frozen);
  const second = check(commit([frozen, open])).conversation!.blocks;
  expect(second).toEqual([frozen, { ...open, text: 'changed' }]);
  expect(check(commit([frozen, open])).conversation!.blocks).toBe(second);
});
