import { expect, test } from 'vitest';
import { createRandom } from './create-random.js';

const draw = (seed: number | string, count: number): number[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, random);
};

test('the same seed gives the same numbers, another seed others', () => {
  expect(draw(7, 20)).toEqual(draw(7, 20));
  expect(draw('ava', 20)).toEqual(draw('ava', 20));
  expect(draw(7, 20)).not.toEqual(draw(8, 20));
});

test('numbers lie in [0, 1) and spread evenly', () => {
  for (const seed of [0, 1, 2, 'x']) {
    const numbers = draw(seed, 20_000);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    const tenths = Array<number>(10).fill(0);
    for (const number of numbers) tenths[Math.floor(number * 10)]! += 1;
    for (const count of tenths) expect(Math.abs(count - 2_000)).toBeLessThan(220);
  }
});
