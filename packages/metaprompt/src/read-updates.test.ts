import { type AgentState, INITIAL_STATE, startState } from '@x/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readUpdates } from './read-updates.js';

const state: AgentState = INITIAL_STATE;
const read = (reply: unknown, options = {}) => readUpdates(reply as { [field: string]: unknown }, state, options);

test('only what changes something becomes an operation, in a fixed order', () => {
  const { operations } = read({
    newMemoryImprints: [{ key: ' topic ', value: { level: 1 } }],
    updatedTaskComplexity: 'hard',
    updatedUserSkillLevel: 'novice',
    updatedGmiMood: 'CURIOUS',
  });
  expect(operations).toEqual([
    { set: 'mood', to: 'curious' },
    { set: 'complexity', to: 'complex' },
    { imprint: 'topic', value: { level: 1 } },
  ]);
});

test.each([
  [{ updatedGmiMood: 'helpful' }, 'updatedGmiMood', 'is not a mood'],
  [{ updatedUserSkillLevel: 99 }, 'updatedUserSkillLevel', 'is not a skill level'],
  [{ updatedTaskComplexity: { level: 'simple' } }, 'updatedTaskComplexity', 'is not a task complexity'],
  [{ newMemoryImprints: 'x' }, 'newMemoryImprints', 'is not a list'],
  [{ newMemoryImprints: [null] }, 'newMemoryImprints[0]', 'is no object'],
  [{ newMemoryImprints: [{ key: 7, value: 1 }] }, 'newMemoryImprints[0]', 'has no key'],
  [{ newMemoryImprints: [{ key: 'a', value: Number.NaN }] }, 'newMemoryImprints[0]', 'holds a value that JSON cannot keep'],
  [{ newMemoryImprints: [{ key: 'a' }] }, 'newMemoryImprints[0]', 'holds a value that JSON cannot keep'],
])('%j is refused with a reason and changes nothing', (reply, field, reason) => {
  expect(read(reply)).toEqual({ operations: [], refusals: [{ field, reason }], rationale: '' });
});

test.each([
  'currentGmiMood',
  'currentUserContext',
  'manual_trigger_x',
  'metaprompt_turn_counter_x',
  'gmi_traits',
  'imprint:x',
  '__proto__',
  'constructor',
  ' ',
  'k'.repeat(129),
])('the imprint key %j is refused', (key) => {
  const { operations, refusals } = read({ updatedGmiMood: 'curious', newMemoryImprints: [{ key, value: 1 }] });
  expect([operations, refusals.length]).toEqual([[{ set: 'mood', to: 'curious' }], 1]);
});

test('oversized values and too many imprints are refused, the rest is kept', () => {
  const many = Array.from({ length: 20 }, (_, index) => ({ key: `k${index}`, value: index === 3 ? 'x'.repeat(5000) : index }));
  const { operations, refusals } = read({ newMemoryImprints: many });
  expect(operations).toHaveLength(7);
  expect(refusals.map(({ field }) => field)).toEqual(['newMemoryImprints', 'newMemoryImprints[3]']);
});

test('a mood that the persona does not allow is refused', () => {
  expect(read({ updatedGmiMood: 'curious' }, { allowedMoods: ['Focused'] }).refusals).toHaveLength(1);
  expect(read({ updatedGmiMood: 'focused' }, { allowedMoods: ['Focused'] }).operations).toHaveLength(1);
});

test('secrets do not become imprints or rationales', () => {
  const { operations, rationale } = read({
    adjustmentRationale: 'user said password: hunter2',
    newMemoryImprints: [
      {
        key: 'login',
        value: { db: 'postgres://me:hunter2@host/db', list: ['sk-abc12345'], apiKey: 'zzz9', nested: { db_password: 'zzz9' } },
      },
      { key: 'wifi password', value: 'zzz9' },
    ],
  });
  expect(JSON.stringify([operations, rationale])).not.toMatch(/hunter2|sk-abc|zzz9/);
});

test('whatever JSON a reply is, reading it neither throws nor reaches a prototype', () => {
  const fields = [
    'updatedGmiMood',
    'updatedUserSkillLevel',
    'updatedTaskComplexity',
    'newMemoryImprints',
    'adjustmentRationale',
    '__proto__',
    'constructor',
  ];
  const imprint = fc.record({ key: fc.oneof(fc.constantFrom('__proto__', 'gmi_x', 'ok'), fc.string()), value: fc.jsonValue() });
  const reply = fc.dictionary(fc.constantFrom(...fields), fc.oneof(fc.jsonValue(), fc.array(imprint)), { noNullPrototype: true });
  fc.assert(
    fc.property(reply, (generated) => {
      const parsed = JSON.parse(JSON.stringify(generated));
      const { operations } = readUpdates(parsed, state);
      expect(operations.every((operation) => 'set' in operation || 'imprint' in operation)).toBe(true);
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('an imprint that says nothing is refused, and takes no fact away', () => {
  const state = startState({ imprints: { tea: 'oolong' } });
  for (const value of [null, '', '  ', 'N/A', 'unknown', 'none', 'null', [], {}, [null, '']]) {
    const { operations, refusals } = readUpdates({ newMemoryImprints: [{ key: 'tea', value }] }, state);
    expect(operations).toEqual([]);
    expect(refusals).toEqual([{ field: 'newMemoryImprints[0]', reason: 'says nothing' }]);
  }
  const kept = [0, false, 'no', 'None of the above', ['green']].map((value) => ({ key: 'tea', value }));
  expect(readUpdates({ newMemoryImprints: kept }, state).operations).toHaveLength(5);
});

test('a fact that is known under a key in another writing is learned again under that', () => {
  const state = startState({ imprints: { favourite_tea: 'oolong', 'Home town': 'Graz', home_town: 'Linz' } });
  const keysOf = (...keys: string[]) =>
    readUpdates({ newMemoryImprints: keys.map((key) => ({ key, value: 'x' })) }, state).operations.map(
      (one) => 'imprint' in one && one.imprint,
    );
  expect(keysOf('Favourite Tea', 'favouriteTea', 'home_town', 'Home town')).toEqual([
    'favourite_tea',
    'favourite_tea',
    'home_town',
    'Home town',
  ]);
  expect(keysOf('new_key', 'New Key')).toEqual(['new_key', 'new_key']);
});

test('what the assistant alone has said is refused wherever it stands in a value', () => {
  const assistantAlone = (claim: string): boolean => claim === 'Captain';
  const value = { names: ['Anna', { nick: 'Captain' }] };
  const newMemoryImprints = [
    { key: 'plain', value: 'Captain' },
    { key: 'inside', value },
    { key: 'fine', value: ['Anna'] },
  ];
  const { operations, refusals } = read({ newMemoryImprints }, { assistantAlone });
  expect(operations).toEqual([{ imprint: 'fine', value: ['Anna'] }]);
  expect(refusals.map(({ field, reason }) => [field, reason])).toEqual([
    ['newMemoryImprints[0]', 'was said by the assistant alone'],
    ['newMemoryImprints[1]', 'was said by the assistant alone'],
  ]);
});
