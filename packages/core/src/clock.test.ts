import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createId, systemClock } from './index.js';

test('a wait longer than a timer can hold fires once, at its end', () => {
  vi.useFakeTimers();
  try {
    const fired = vi.fn();
    const days = 30 * 24 * 60 * 60 * 1000;
    systemClock.setTimeout(fired, days);
    vi.advanceTimersByTime(days - 1);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fired).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

test('a cancelled wait never fires, also in a later lap', () => {
  vi.useFakeTimers();
  try {
    const fired = vi.fn();
    const cancel = systemClock.setTimeout(fired, 2 ** 32);
    vi.advanceTimersByTime(2 ** 31);
    cancel();
    vi.advanceTimersByTime(2 ** 33);
    expect(fired).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});

test('ids carry their prefix, follow the source of chance, and differ', () => {
  expect(createId('msg', () => 0)).toBe('msg-000000000000');
  expect(new Set(Array.from({ length: 1_000 }, () => createId('op'))).size).toBe(1_000);
});

test('the same chances give the ids that they always gave: each as six digits in base 36', () =>
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (a, b) => {
        const chances = [a, b];
        const half = (chance: number) =>
          Math.floor(chance * 2 ** 31)
            .toString(36)
            .padStart(6, '0');
        expect(createId('op', () => chances.shift()!)).toBe(`op-${half(a)}${half(b)}`);
      },
    ),
  ));
