import { applyOperation, type GMIEvent, INITIAL_STATE, manualTriggerKey } from '@x/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Triggered } from './check-definitions.js';
import { decideTriggers, EVENT_COOLDOWN_TURNS } from './triggers.js';

const definition = (id: string, trigger: Triggered['trigger'], fields: Partial<Triggered> = {}): Triggered => ({
  id,
  promptTemplate: '',
  trigger,
  ...fields,
});
const event = (eventType: string): GMIEvent => ({ eventType, timestamp: '', turnId: 't', severity: 'low', metadata: {} });

interface Step {
  readonly countTurn: boolean;
  readonly events: readonly string[];
  readonly flags: readonly string[];
}

/** Plays steps against definitions; what fired in each step, by id. */
function play(definitions: readonly Triggered[], steps: readonly Step[]): { fired: string[][]; left: string[][] } {
  let state = INITIAL_STATE;
  let pending: readonly GMIEvent[] = [];
  const fired: string[][] = [];
  const left: string[][] = [];
  for (const { countTurn, events, flags } of steps) {
    for (const flag of flags) state = applyOperation(state, { put: manualTriggerKey(flag), value: true }).state;
    pending = [...pending, ...events.map(event)];
    const decision = decideTriggers({
      definitions,
      values: state.values,
      events: pending,
      countTurn,
      tokensLeft: Number.POSITIVE_INFINITY,
      estimateTokens: () => 1,
    });
    for (const { operation } of decision.operations) state = applyOperation(state, operation).state;
    pending = pending.filter(({ eventType }) => !decision.consumed.includes(eventType));
    fired.push(decision.items.map(({ id }) => id));
    left.push(pending.map(({ eventType }) => eventType));
  }
  return { fired, left };
}

const kinds = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 });

test('an interval fires on user turns N, 2N, 3N, whatever lies between them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 0.99, noNaN: true }), kinds, (n, fraction, turns) => {
      const { fired } = play(
        [definition('r', { type: 'turn_interval', intervalTurns: n + fraction })],
        turns.map((countTurn) => ({ countTurn, events: [], flags: [] })),
      );
      let user = 0;
      const expected = turns.map((countTurn) => {
        if (countTurn) user += 1;
        return countTurn && user % n === 0 ? ['r'] : [];
      });
      expect(fired).toEqual(expected);
    }),
  );
});

test('an event wakes all who wait for it in one turn, then rests for its cooldown, and is always taken away', () => {
  fc.assert(
    fc.property(kinds, fc.integer({ min: 1, max: 4 }), fc.nat(15), (angry, listeners, cooldownTurns) => {
      const definitions = Array.from({ length: listeners }, (_, index) =>
        definition(`m${index}`, { type: 'event_based', eventName: 'user_frustrated' }, { cooldownTurns }),
      );
      const { fired, left } = play(
        definitions,
        angry.map((is) => ({ countTurn: true, events: is ? ['user_frustrated', 'other'] : [], flags: [] })),
      );
      let last = Number.NEGATIVE_INFINITY;
      angry.forEach((is, turn) => {
        const due = is && turn - last > cooldownTurns;
        if (due) last = turn;
        expect(fired[turn]).toEqual(due ? definitions.map(({ id }) => id) : []);
        expect(left[turn]).not.toContain('user_frustrated');
      });
    }),
  );
});

test('without a setting an event rests for ten turns and an interval not at all', () => {
  const definitions = [
    definition('e', { type: 'event_based', eventName: 'x' }),
    definition('i', { type: 'turn_interval', intervalTurns: 1 }),
  ];
  const { fired } = play(
    definitions,
    Array.from({ length: 12 }, () => ({ countTurn: true, events: ['x'], flags: [] })),
  );
  expect(fired.map((ids) => ids.includes('e'))).toEqual([true, ...Array<boolean>(EVENT_COOLDOWN_TURNS).fill(false), true]);
  expect(fired.every((ids) => ids.includes('i'))).toBe(true);
});

test('a flag wakes its metaprompt once, even while it rests and after a turn that no user made', () => {
  const definitions = [definition('e', { type: 'event_based', eventName: 'x' }), definition('m', { type: 'manual' })];
  const { fired } = play(definitions, [
    { countTurn: true, events: ['x'], flags: [] },
    { countTurn: false, events: [], flags: ['e', 'm'] },
    { countTurn: true, events: [], flags: [] },
  ]);
  expect(fired).toEqual([['e'], ['e', 'm'], []]);
});

test('a flag is not lost to the event or the interval that comes with it', () => {
  const resting = { cooldownTurns: 5 };
  const definitions = [
    definition('e', { type: 'event_based', eventName: 'x' }, resting),
    definition('i', { type: 'turn_interval', intervalTurns: 2 }, resting),
  ];
  const both = { countTurn: true, events: ['x'], flags: ['e', 'i'] };
  const none = { countTurn: true, events: [], flags: [] };
  expect(play(definitions, [both, both, none]).fired).toEqual([['e', 'i'], ['e', 'i'], []]);
});

test('a flag waits until its run fits the day share, and goes down with it', () => {
  const values = { [manualTriggerKey('m')]: true };
  const decide = (tokensLeft: number) =>
    decideTriggers({
      definitions: [definition('m', { type: 'manual' })],
      values,
      events: [],
      countTurn: true,
      tokensLeft,
      estimateTokens: () => 10,
    });
  const lowered = (tokensLeft: number) => decide(tokensLeft).operations.filter(({ operation }) => 'unset' in operation);
  expect([decide(9).items, lowered(9), decide(9).suppressed]).toEqual([[], [], [{ id: 'm', because: 'manual', reason: 'daily_tokens' }]]);
  expect([decide(10).items, lowered(10).length]).toEqual([[{ id: 'm', because: 'manual' }], 1]);
});

test('damaged counters count as 0', () => {
  const values = { metaprompt_turn_counter_r: 'seven', metaprompt_turns: -3, metaprompt_calls_r: Number.MAX_VALUE };
  const definitions = [definition('r', { type: 'turn_interval', intervalTurns: 2 }, { maxCallsPerSession: 1 })];
  const { items, operations } = decideTriggers({
    definitions,
    values,
    events: [],
    countTurn: true,
    tokensLeft: 1,
    estimateTokens: () => 1,
  });
  expect([items, operations.map(({ operation }) => operation)]).toEqual([
    [],
    [
      { put: 'metaprompt_turns', value: 1 },
      { put: 'metaprompt_turn_counter_r', value: 1 },
    ],
  ]);
});
