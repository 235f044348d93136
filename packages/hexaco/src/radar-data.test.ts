import { expect, test } from 'vitest';
import { radarData } from './radar-data.js';

test('six axes from the top clockwise, with the persona beside what is now', () => {
  const axes = radarData({ honesty: 1, openness: 0.5 }, { openness: 0.6 });
  expect(axes.map(({ trait, baseline, value, level }) => [trait, baseline, value, level])).toEqual([
    ['honesty', 1, 1, 9],
    ['emotionality', 0.5, 0.5, 5],
    ['extraversion', 0.5, 0.5, 5],
    ['agreeableness', 0.5, 0.5, 5],
    ['conscientiousness', 0.5, 0.5, 5],
    ['openness', 0.5, 0.6, 6],
  ]);
  expect(axes[0]?.point).toEqual({ x: 0, y: -1 });
  expect(axes[3]?.point.y).toBeCloseTo(0.5, 12);
  expect(axes[5]?.delta).toBeCloseTo(0.1, 12);
});
