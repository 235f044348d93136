import { expect, test } from 'vitest';
import { createVirtualClock } from './create-virtual-clock.js';

test('time stands still until it is moved', () => {
  const clock = createVirtualClock(1_000);
  expect(clock.now()).toBe(1_000);
  clock.setTimeout(() => undefined, 5);
  expect([clock.now(), clock.pending, clock.nextAtMs]).toEqual([1_000, 1, 1_005]);
});

test('timers fire at their own moment, in the order of their times and then of their setting', async () => {
  const clock = createVirtualClock(100);
  const fired: string[] = [];
  const note = (name: string) => () => void fired.push(`${name}@${clock.now()}`);
  clock.setTimeout(note('late'), 30);
  clock.setTimeout(note('first'), 10);
  clock.setTimeout(note('second'), 10);
  const cancel = clock.setTimeout(note('cancelled'), 10);
  clock.setTimeout(note('never'), 31);
  cancel();
  await clock.advance(30);
  expect(fired).toEqual(['first@110', 'second@110', 'late@130']);
  expect([clock.now(), clock.pending]).toEqual([130, 1]);
});

test('a timer that a promise chain sets on the way fires within the same move', async () => {
  const clock = createVirtualClock(0);
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => void clock.setTimeout(resolve, ms));
  const times: number[] = [];
  const loop = async (): Promise<void> => {
    for (let lap = 0; lap < 4; lap += 1) {
      await sleep(10);
      await Promise.resolve().then(() => undefined);
      times.push(clock.now());
    }
  };
  const done = loop();
  await clock.advance(100);
  await done;
  expect(times).toEqual([10, 20, 30, 40]);
  expect(clock.now()).toBe(100);
});

test('moves that overlap happen one after the other', async () => {
  const clock = createVirtualClock(0);
  const fired: number[] = [];
  clock.setTimeout(() => void fired.push(clock.now()), 15);
  await Promise.all([clock.advance(10), clock.advance(10)]);
  expect([fired, clock.now()]).toEqual([[15], 20]);
});

test('a timer that throws rejects the move and the clock goes on working', async () => {
  const clock = createVirtualClock(0);
  clock.setTimeout(() => {
    throw new Error('broken timer');
  }, 1);
  await expect(clock.advance(5)).rejects.toThrow('broken timer');
  await clock.advance(5);
  expect(clock.now()).toBe(6);
});

test('time does not move back', () => {
  expect(() => createVirtualClock(0).advance(-1)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  expect(() => createVirtualClock(Number.NaN)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});
