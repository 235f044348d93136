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
