import type { TextCriteria } from '@x/core';
import { expect, test } from 'vitest';
import type { CompiledElement } from './compile-elements.js';
import { compileText } from './compile-text.js';
import { drawChance } from './draw-chance.js';
import { nextTiming, readTiming, textStanding } from './element-timing.js';
import { MatchContext } from './match-context.js';
import type { ElementTiming } from './prompt-context.js';

/** Plays turns from 1 on; in each, whether the key is said. Returns what the element did in each. */
function play(criteria: Omit<TextCriteria, 'keys'>, said: readonly boolean[]): { because: string[]; timing: ElementTiming } {
  const text = compileText({ keys: ['rex'], scanDepth: 1, ...criteria }, 'text');
  const element = { key: 'e', criteria: { tests: [], text } } as unknown as CompiledElement;
  let timing: ElementTiming = {};
  const because = said.map((isSaid, index) => {
    const turn = index + 1;
    const context = new MatchContext({ turn, elementTiming: timing, recentTexts: [isSaid ? 'rex' : ''] });
    const verdict = textStanding('e', text, context);
    timing = nextTiming(timing, verdict.in ? [element] : [], turn);
    return verdict.because;
  });
  return { because, timing };
}

test('without timing an element is in exactly when its key is said', () => {
  expect(play({}, [true, false, true]).because).toEqual(['matched', 'text', 'matched']);
});

test('an element sticks for its turns, and a match meanwhile does not make it stick longer', () => {
  expect(play({ sticky: 2 }, [true, true, false, false]).because).toEqual(['matched', 'sticky', 'sticky', 'text']);
});

test('an element rests after it left, whatever is said', () => {
  expect(play({ cooldown: 2 }, [true, true, true, true]).because).toEqual(['matched', 'resting', 'resting', 'matched']);
});

test('an element sticks first and rests then', () => {
  const { because, timing } = play({ sticky: 1, cooldown: 1 }, [true, false, true, true]);
  expect(because).toEqual(['matched', 'sticky', 'resting', 'matched']);
  expect(timing).toEqual({ e: { until: 5, restUntil: 6 } });
});

test('an element waits for its delay', () => {
  expect(play({ delay: 2 }, [true, true, true]).because).toEqual(['delayed', 'delayed', 'matched']);
});

test('entries that are over leave, and nothing new gives the same object', () => {
  const timing: ElementTiming = { old: { until: 1, restUntil: 2 }, kept: { until: 3, restUntil: 9 } };
  expect(nextTiming(timing, [], 3)).toEqual({ kept: { until: 3, restUntil: 9 } });
  expect(nextTiming(timing, [], 2)).toBe(timing);
});

test('stored timing of another shape is dropped, entry by entry', () => {
  expect(readTiming({ a: { until: 1, restUntil: 2 }, b: { until: 'x' }, c: null })).toEqual({ a: { until: 1, restUntil: 2 } });
  expect([readTiming(undefined), readTiming(null), readTiming([]), readTiming('x')]).toEqual([{}, {}, {}, {}]);
});

test('chance depends on seed, turn and element alone, and keeps its share', () => {
  const text = compileText({ keys: ['rex'], probability: 0.3 }, 'text');
  const draw = (seed: string, turn: number, key: string) =>
    textStanding(key, text, new MatchContext({ seed, turn, recentTexts: ['rex'] })).because;
  const turns = Array.from({ length: 2000 }, (_, turn) => draw('s', turn, 'e'));
  expect(Array.from({ length: 2000 }, (_, turn) => draw('s', turn, 'e'))).toEqual(turns);
  expect(Array.from({ length: 2000 }, (_, turn) => draw('other', turn, 'e'))).not.toEqual(turns);
  expect(Array.from({ length: 2000 }, (_, turn) => draw('s', turn, 'f'))).not.toEqual(turns);
  const share = turns.filter((because) => because === 'matched').length / turns.length;
  expect(share).toBeGreaterThan(0.27);
  expect(share).toBeLessThan(0.33);
  expect(new Set(turns)).toEqual(new Set(['matched', 'chance']));
});

test('a draw is from 0 up to 1', () => {
  const draws = Array.from({ length: 5000 }, (_, index) => drawChance(`seed ${index}`));
  expect(Math.min(...draws)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...draws)).toBeLessThan(1);
  expect(draws.reduce((sum, draw) => sum + draw) / draws.length).toBeCloseTo(0.5, 1);
});
