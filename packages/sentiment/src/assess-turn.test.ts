import { InMemoryWorkingMemory, KEYS } from '@x/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decayAffect } from './affect-state.js';
import { type AssessmentState, assessTurn } from './assess-turn.js';
import { countErrors } from './count-errors.js';
import { excerpt } from './excerpt.js';
import { EMPTY_RECORD, readRecord } from './sentiment-record.js';
import { SentimentTracker } from './sentiment-tracker.js';
import { resolveTracking } from './tracking-config.js';
import type { TurnReading } from './turn-reading.js';

const start: AssessmentState = { record: EMPTY_RECORD, edges: {}, affect: undefined };
const reading = (score: number | null, more: Partial<TurnReading> = {}): TurnReading => ({
  score,
  polarity: score === null || Math.abs(score) <= 0.05 ? 'neutral' : score > 0 ? 'positive' : 'negative',
  intensity: Math.abs(score ?? 0),
  confidence: 0.9,
  negativeTokens: 0,
  ...more,
});

/** Runs readings as turns; returns the events of each. */
function run(
  readings: readonly TurnReading[],
  config = resolveTracking({ enabled: true }),
  text = 'a message of usual length',
): string[][] {
  let state = start;
  return readings.map((one, index) => {
    const done = assessTurn(
      one,
      state,
      { turnId: `t${index}`, atMs: index * 1000, text, excerpts: false, errors: 0, lengths: [text.length] },
      config,
    );
    if (done === undefined) throw new Error('the turn was not counted');
    state = done;
    return done.raised.map(({ eventType }) => eventType);
  });
}

const angry = reading(-0.5, { frustrated: 0.8 });
const seed = resolveTracking({ enabled: true, method: 'lexicon_based' });

test('frustration needs two turns when mild, one when strong, and its probability', () => {
  expect(run([angry, angry])).toEqual([[], ['user_frustrated']]);
  expect(run([reading(-0.8, { frustrated: 0.8 })])).toEqual([['user_frustrated']]);
  expect(run([reading(-0.8, { frustrated: 0.3 })])).toEqual([[]]);
  expect(run([reading(-0.8, { frustrated: 0.8, confidence: 0.4 })])).toEqual([[]]);
  expect(run([reading(-0.8, { frustrated: 0.8, target: 'other' })])).toEqual([[]]);
});

test('an event is raised at the edge and again after the cooldown', () => {
  const raised = run(Array.from({ length: 14 }, () => angry)).map((events) => events.length);
  expect(raised).toEqual([0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
  const again = run([angry, angry, reading(0), angry, angry]);
  expect(again.at(-1)).toEqual(['user_frustrated']);
});

test('the seed’s table to the letter raises on every turn of a run', () => {
  expect(run([reading(-0.5), reading(-0.5), reading(-0.5)], seed)).toEqual([[], ['user_frustrated'], ['user_frustrated']]);
  expect(run([reading(0.4), reading(0.4), reading(0.4)], seed)).toEqual([[], [], ['user_satisfied']]);
  expect(run([reading(0.6)], seed)).toEqual([['user_satisfied']]);
  expect(run([reading(0)], seed, 'please explain closures in detail to me, as long as it takes')).toEqual([['user_confused']]);
  expect(run([reading(0), reading(0), reading(0), reading(0)], seed, 'ok')).toEqual([[], [], [], ['low_engagement']]);
});

test('neutral turns are not confusion', () => {
  let state = start;
  const config = resolveTracking({ enabled: true });
  for (let index = 0; index < 3; index += 1) {
    state =
      assessTurn(reading(0), state, { turnId: `n${index}`, atMs: 0, text: 'ok', excerpts: false, errors: 0, lengths: [2] }, config) ??
      state;
  }
  expect(state.record).toMatchObject({ consecutiveConfusion: 0, consecutiveNeutral: 3 });
});

test('an unknown score moves no counter', () => {
  let state = start;
  const config = resolveTracking({ enabled: true });
  const facts = { atMs: 0, text: 'x', excerpts: false, errors: 0, lengths: [1] };
  state = assessTurn(angry, state, { ...facts, turnId: 'a' }, config) ?? state;
  state = assessTurn(reading(null), state, { ...facts, turnId: 'b' }, config) ?? state;
  expect(state.record).toMatchObject({ consecutiveFrustration: 1, consecutiveNeutral: 0, userTurns: 2 });
});

test('a turn that is assessed twice counts once', () => {
  const config = resolveTracking({ enabled: true });
  const facts = { turnId: 'same', atMs: 0, text: 'x', excerpts: false, errors: 0, lengths: [1] };
  const first = assessTurn(angry, start, facts, config);
  expect(first && assessTurn(angry, first, facts, config)).toBeUndefined();
});

test('low engagement compares with the person’s own habit', () => {
  const say = (lengths: readonly number[]): string[] => {
    let state = start;
    const all: string[] = [];
    lengths.forEach((length, index) => {
      const facts = { turnId: `t${index}`, atMs: 0, text: 'x'.repeat(length), excerpts: false, errors: 0, lengths: [length] };
      const done = assessTurn(reading(0), state, facts, resolveTracking({ enabled: true }));
      if (done === undefined) throw new Error('the turn was not counted');
      state = done;
      all.push(...done.raised.map(({ eventType }) => eventType));
    });
    return all;
  };
  expect(say([120, 100, 140, 110, 130, 4, 2, 6])).toEqual(['low_engagement']);
  expect(say([4, 2, 6, 4, 3, 4, 2, 6])).toEqual([]);
});

test('the window keeps what it says, and none for 0', () => {
  const config = resolveTracking({ enabled: true, historyWindow: 2 });
  let state = start;
  for (let index = 0; index < 4; index += 1) {
    state =
      assessTurn(
        reading(0.1 * index),
        state,
        { turnId: `t${index}`, atMs: 0, text: 'x', excerpts: true, errors: 0, lengths: [1] },
        config,
      ) ?? state;
  }
  expect(state.record.trends.map(({ turnId }) => turnId)).toEqual(['t2', 't3']);
  const none = assessTurn(
    angry,
    start,
    { turnId: 'a', atMs: 0, text: 'x', excerpts: false, errors: 0, lengths: [1] },
    resolveTracking({ enabled: true, historyWindow: 0 }),
  );
  expect(none?.record.trends).toEqual([]);
});

test('options out of range are refused', () => {
  expect(() => resolveTracking({ consecutiveTurnsForTrigger: 0 })).toThrow(/consecutiveTurnsForTrigger/);
  expect(() => resolveTracking({ frustrationThreshold: 0.2 })).toThrow(/frustrationThreshold/);
});

test('a record survives JSON, and junk starts anew', () => {
  const done = assessTurn(
    angry,
    start,
    { turnId: 'a', atMs: 5, text: 'x', excerpts: true, errors: 0, lengths: [1] },
    resolveTracking({ enabled: true }),
  );
  expect(readRecord(JSON.parse(JSON.stringify(done?.record)))).toEqual(done?.record);
  expect(readRecord('junk')).toEqual(EMPTY_RECORD);
});

test('an excerpt never ends in half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(40), (text, limit) => {
      const cut = excerpt(text, limit);
      expect([...cut].length).toBeLessThanOrEqual(limit);
      expect(/\p{Surrogate}/u.test(cut)).toBe(false);
    }),
    { numRuns: 40 },
  );
}, 30_000);

test('errors of the last two turns count, whatever else was traced', () => {
  const entry = (type: 'ERROR' | 'DEBUG', turn: string) => ({ type, turn });
  const busy = [entry('ERROR', 'a'), ...Array.from({ length: 12 }, () => entry('DEBUG', 'a')), entry('ERROR', 'b')];
  expect(countErrors(busy, false)).toBe(2);
  expect(countErrors(busy, true)).toBe(1);
  expect(countErrors([entry('ERROR', 'a'), entry('DEBUG', 'b'), entry('ERROR', 'c')], false)).toBe(1);
});

test('two short waits equal one long wait', () => {
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), fc.nat(1e7), fc.nat(1e7), (valence, first, second) => {
      const mood = { valence, arousal: 0.5, score: valence, atMs: 0 };
      const twice = decayAffect(decayAffect(mood, first), first + second);
      expect(twice.valence).toBeCloseTo(decayAffect(mood, first + second).valence, 9);
    }),
  );
});

test('the tracker of the seed keeps its history through a restart', async () => {
  const memory = new InMemoryWorkingMemory();
  const make = () =>
    new SentimentTracker(
      {
        analyzeSentiment: async () => ({
          score: -0.5,
          polarity: 'negative',
          intensity: 0.5,
          comparative: 0,
          confidence: 1,
          positiveTokens: [],
          negativeTokens: [],
          neutralTokens: [],
        }),
      },
      memory,
      () => ({ sentimentTracking: { enabled: true } }),
      () => [],
      () => [],
      () => ({}),
      () => undefined,
    );
  await make().analyzeTurnSentiment('t1', 'meh');
  const restarted = make();
  await restarted.analyzeTurnSentiment('t2', 'meh');
  expect([...restarted.consumePendingEvents()]).toEqual(['user_frustrated']);
  expect(restarted.consumePendingEvents().size).toBe(0);
  expect(readRecord(await memory.get(KEYS.sentimentHistory))).toMatchObject({ consecutiveFrustration: 2, lastAnalyzedTurnId: 't2' });
});
