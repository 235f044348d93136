import { expect, test } from 'vitest';
import { type Block, joinStable, type Layout, nextBlocks, orderParts, STABLE_ORDER, VOLATILE_ORDER } from './layout.js';
import type { Stored } from './messages.js';

const user = (id: string, text = id): Stored => ({ id, role: 'user', origin: 'user', content: text });
const base: Layout = { stable: {}, tools: [], history: [], blocks: [], volatile: {}, current: [user('u1')] };
const block = (before: string, part: string, text: string): Block => ({ before, part, text });

test('stable parts stand in one order, unknown names by name before the limits, whatever order their keys are in', () => {
  const text = 'soul system elements traits alpha zeta limits';
  const parts = Object.fromEntries([...text.split(' ')].reverse().map((part) => [part, part]));
  expect(joinStable(parts)).toBe(text.split(' ').join('\n\n'));
});

test('volatile parts stand in one order with unknown names at the end, and empty parts do not stand at all', () => {
  const parts = { time: 'T', anchor: 'A', state: 'S', elements: '', retrieved: 'R' };
  expect(orderParts(parts, VOLATILE_ORDER).map(([part]) => part)).toEqual(['state', 'retrieved', 'time', 'anchor']);
  expect(orderParts({ '*': 'x', limits: 'y' }, STABLE_ORDER).map(([part]) => part)).toEqual(['*', 'limits']);
});

test('a part is said once and again only when it changes', () => {
  const first = nextBlocks({ ...base, volatile: { state: 'calm', time: 'noon' } });
  expect(first).toEqual([block('u1', 'state', 'calm'), block('u1', 'time', 'noon')]);
  const later: Layout = { ...base, history: [user('u1')], current: [user('u2')], blocks: first, volatile: { time: 'noon', state: 'calm' } };
  expect(nextBlocks(later)).toBe(first);
  expect(nextBlocks({ ...later, volatile: { state: 'alert', time: 'noon' } })).toEqual([...first, block('u2', 'state', 'alert')]);
});

test('a part that no longer holds is withdrawn once', () => {
  const blocks = [block('u1', 'elements', 'be brief')];
  const later: Layout = { ...base, history: [user('u1')], current: [user('u2')], blocks };
  const withdrawn = nextBlocks(later);
  expect(withdrawn).toEqual([...blocks, block('u2', 'elements', '')]);
  expect(nextBlocks({ ...later, history: [user('u1'), user('u2')], current: [user('u3')], blocks: withdrawn })).toBe(withdrawn);
});

test('after a fold the parts whose message is gone are said again', () => {
  const blocks = [block('u1', 'state', 'calm'), block('u2', 'time', 'noon')];
  const folded: Layout = {
    ...base,
    history: [user('sum'), user('u2')],
    current: [user('u3')],
    blocks,
    volatile: { state: 'calm', time: 'noon' },
  };
  expect(nextBlocks(folded)).toEqual([block('u2', 'time', 'noon'), block('u3', 'state', 'calm')]);
});

test('late notes stand before the input only, leading notes stand nowhere in the list', () => {
  const blocks = [block('u1', 'state', 'calm')];
  const later: Layout = { ...base, history: [user('u1')], current: [user('u2')], blocks, volatile: { state: 'calm' } };
  expect(nextBlocks({ ...later, placement: 'late' })).toEqual([block('u2', 'state', 'calm')]);
  expect(nextBlocks({ ...later, placement: 'leading' })).toEqual([]);
});

test('notes on a sender stand before the input only and leave without a word; the same notes are said anew each turn', () => {
  const first = nextBlocks({ ...base, volatile: { state: 'calm', sender: 'Bob likes jazz' } });
  expect(first).toEqual([block('u1', 'state', 'calm'), block('u1', 'sender', 'Bob likes jazz')]);
  const within: Layout = {
    ...base,
    current: [user('u1'), user('late')],
    blocks: first,
    volatile: { state: 'calm', sender: 'Bob likes jazz' },
  };
  expect(nextBlocks(within)).toBe(first);
  const later: Layout = { ...base, history: [user('u1')], current: [user('u2')], blocks: first, volatile: { state: 'calm' } };
  expect(nextBlocks(later)).toEqual([block('u1', 'state', 'calm')]);
  expect(nextBlocks({ ...later, volatile: { state: 'calm', sender: 'Bob likes jazz' } })).toEqual([
    block('u1', 'state', 'calm'),
    block('u2', 'sender', 'Bob likes jazz'),
  ]);
});
