import { expect, test } from 'vitest';
import { type Clock, createMemoryStore, INITIAL_STATE, type Json } from './index.js';

const scope = { persona: 'p', user: 'u', session: 's' };
const nothing = { operations: [], events: [], batches: { add: [], done: [] } };

test('the state of a new lane is frozen to the bottom', async () => {
  const { state } = await (await createMemoryStore().open(scope, { initial: { values: { mine: { a: 1 } } } })).load('main');
  expect([INITIAL_STATE, INITIAL_STATE.traits, state, state.values, state.values['mine']].every(Object.isFrozen)).toBe(true);
});

test('a journal that holds itself twice is refused at once', async () => {
  const list: Json[] = [];
  list.push(list, list);
  const lane = await createMemoryStore().open(scope);
  await expect(lane.commit({ ...nothing, revision: 0, turn: 't', journal: list })).rejects.toMatchObject({ code: 'json_value_invalid' });
});

test('values set while the clock goes back are read in the order they were set', async () => {
  let now = 1_000;
  const clock: Clock = { now: () => now, setTimeout: () => () => {} };
  const { memory, operations } = await createMemoryStore({ clock }).open(scope);
  await memory.set('a', 1);
  now -= 500;
  await memory.set('b', 2);
  const told: { readonly id: string; readonly why: string }[] = [];
  for await (const entry of operations()) told.push(entry);
  expect(told.map(({ why }) => why)).toEqual(['set a', 'set b']);
  const later: string[] = [];
  for await (const { why } of operations(told[0]?.id)) later.push(why);
  expect(later).toEqual(['set b']);
});
