import { createMemoryStore, pendingOf } from '@x/core';
import { createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { createAdaptPersonalityTool, driftHook, hexacoHook, PersonaDriftMechanism, PersonalityMutationStore } from './index.js';

const refused = expect.objectContaining({ code: 'invalid_argument' });
const persona = { personalityTraits: {} };

test.each([
  { maxDeltaPerSession: Number.NaN },
  { maxDeltaPerSession: -0.1 },
  { maxDeltaPerSession: 15 },
  { maxDeltaPerSession: '0.15' },
  { budgetWindowMs: 0 },
  { budgetWindowMs: Number.NaN },
  { halfLifeDays: 0 },
  { halfLifeDays: -3 },
  { halfLifeDays: Number.NaN },
])('tool and drift refuse a bound that bounds nothing when they are made: %o', (options) => {
  expect(() => createAdaptPersonalityTool(options as never)).toThrow(refused);
  expect(() => driftHook({ persona, ...options } as never)).toThrow(refused);
});

test.each([{ origins: 'user' }, { origins: [1] }, { approve: 'yes' }])(
  'so does the tool for who may change a trait and who is asked: %o',
  (options) => {
    expect(() => createAdaptPersonalityTool(options as never)).toThrow(refused);
  },
);

test.each([
  { cycleTurns: 0 },
  { cycleTurns: Number.NaN },
  { alarmDistance: Number.NaN },
  { alarmDistance: 0 },
  { resumeDistance: 2 },
  { alarmDistance: 0.1, resumeDistance: 0.2 },
  { mode: 'Apply' },
])('drift refuses a cycle that never ends and an alarm that never does: %o', (options) => {
  expect(() => driftHook({ persona, ...options } as never)).toThrow(refused);
});

test('hook and store refuse a half-life that is none when they are made', async () => {
  const lane = await createMemoryStore().open({ persona: 'p', user: 'u', session: 's' });
  for (const halfLifeDays of [0, Number.NaN, -1]) {
    expect(() => hexacoHook({ persona, halfLifeDays })).toThrow(refused);
    expect(() => new PersonalityMutationStore({ lane, halfLifeDays })).toThrow(refused);
  }
  expect(() => new PersonaDriftMechanism(null as never)).not.toThrow();
});

test('figures at the edge of their range are taken', () => {
  createAdaptPersonalityTool({ maxDeltaPerSession: 0, halfLifeDays: Number.POSITIVE_INFINITY });
  createAdaptPersonalityTool({ maxDeltaPerSession: 1, budgetWindowMs: Number.POSITIVE_INFINITY });
  driftHook({ persona, cycleTurns: 1, alarmDistance: 1, resumeDistance: 0 });
  driftHook({ persona, alarmDistance: 0.15 });
});

test('who cannot be asked whether a human has to agree leaves it to the human', () => {
  const host = { clock: createVirtualClock(), getPersonality: () => ({ openness: 0.5 }), setPersonality: () => expect.unreachable() };
  const approve = () => {
    throw new Error('the rules could not be loaded');
  };
  const result = createAdaptPersonalityTool({ host, approve }).execute({ trait: 'openness', delta: 0.1, reasoning: 'r' }, {});
  expect(pendingOf(result)).toMatchObject({ kind: 'approval' });
});
