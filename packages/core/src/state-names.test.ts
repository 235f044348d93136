import { expect, test } from 'vitest';
import {
  answeredKey,
  appendTrace,
  imprintKey,
  isReservedKey,
  KEYS,
  type LaneScope,
  laneKey,
  manualTriggerKey,
  metapromptCallsKey,
  parseMood,
  parseSkillLevel,
  parseTaskComplexity,
  sessionsPrefix,
  type TraceEntry,
  turnCounterKey,
} from './index.js';

test('every key the machine uses is reserved, and ordinary names are not', () => {
  expect(
    [
      ...Object.values(KEYS),
      turnCounterKey('a'),
      manualTriggerKey('a'),
      metapromptCallsKey('a'),
      answeredKey('main'),
      imprintKey('a'),
    ].filter((key) => !isReservedKey(key)),
  ).toEqual([]);
  expect(['favorite_topic', 'mood', 'user'].filter(isReservedKey)).toEqual([]);
});

test('words are read in any case and with their synonyms', () => {
  expect([parseMood(' Curious '), parseMood('patient'), parseMood(3)]).toEqual(['curious', undefined, undefined]);
  expect([parseSkillLevel('Beginner'), parseSkillLevel('guru')]).toEqual(['beginner', undefined]);
  expect([parseTaskComplexity('medium'), parseTaskComplexity('Highly Complex'), parseTaskComplexity('')]).toEqual([
    'moderate',
    'advanced',
    undefined,
  ]);
});

test('scopes that differ have keys that differ', () => {
  const scopes = [
    { persona: 'a', user: 'b/c', session: 'd' },
    { persona: 'a/b', user: 'c', session: 'd' },
    { persona: 'a', user: 'b', session: 'c/d' },
    { directory: '/a/b/c/d' },
  ];
  expect(new Set(scopes.map(laneKey)).size).toBe(4);
  expect(sessionsPrefix({ persona: 'a', user: 'b', session: 'c' })).toBe('a/b/');
});

test('every text has a key of its own, halves of pairs included', () => {
  const users = ['a', '\ud83d', '\ude00', '\ud83d\ude00', '%uD83D', '%', ''];
  const keys = users.map((user) => laneKey({ persona: 'p', user, session: 's' }));
  expect(new Set(keys).size).toBe(users.length);
  for (const user of users) {
    const scope = { persona: 'p', user, session: 's' };
    expect(laneKey(scope).startsWith(sessionsPrefix(scope))).toBe(true);
  }
});

test('a scope that lacks a part, or has one that is no text, has no key', () => {
  for (const scope of [
    { persona: 'p', user: 7, session: 's' },
    { persona: 'p', user: 'u' },
    { persona: 'p', user: null, session: 's' },
    { directory: undefined },
    {},
    undefined,
  ] as unknown as LaneScope[]) {
    const refusal = expect.objectContaining({ code: 'invalid_argument' });
    expect(() => laneKey(scope)).toThrow(refusal);
  }
  expect(() => laneKey({ persona: 'p', user: 7, session: 's' } as unknown as LaneScope)).toThrow('user is of type number');
});

test('a trace keeps its newest entries', () => {
  const entry = (n: number): TraceEntry => ({ type: 'DEBUG', message: `${n}`, turn: 't', atMs: n });
  let trace: readonly TraceEntry[] = [];
  for (let n = 0; n < 5; n += 1) trace = appendTrace(trace, entry(n), 3);
  expect(trace.map(({ message }) => message)).toEqual(['2', '3', '4']);
});
