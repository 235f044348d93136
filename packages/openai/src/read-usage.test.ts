import { expect, test } from 'vitest';
import { isAsLongAs } from './measure-request.js';
import { plausibleUsage } from './read-usage.js';

const bounds = { isAsLongAs: (bytes: number) => bytes <= 4_000, hasMedia: () => false, answered: true };

test('counts that can be true are kept', () => {
  const counts = { inputTokens: 900, outputTokens: 40, cachedTokens: 512 };
  expect(plausibleUsage(counts, bounds)).toEqual(counts);
  expect(plausibleUsage({ inputTokens: 900, outputTokens: 0 }, { ...bounds, answered: false })).toEqual({
    inputTokens: 900,
    outputTokens: 0,
  });
});

test('zero, nonsense and more than was sent are no counts', () => {
  expect(plausibleUsage({ inputTokens: 0, outputTokens: 0 }, bounds)).toEqual({});
  expect(plausibleUsage({ inputTokens: -3, outputTokens: 1.5, cachedTokens: Number.NaN }, bounds)).toEqual({});
  expect(plausibleUsage({ inputTokens: 999_999_999, outputTokens: 3 }, bounds)).toEqual({ outputTokens: 3 });
  expect(plausibleUsage({ inputTokens: 90, cachedTokens: 91 }, bounds)).toEqual({ inputTokens: 90 });
});

test('more than the window holds is no count (FR-026); pictures lift the bound by length', () => {
  expect(plausibleUsage({ inputTokens: 5_000, outputTokens: 3 }, { ...bounds, contextWindow: 4_096 })).toEqual({ outputTokens: 3 });
  expect(plausibleUsage({ inputTokens: 50_000 }, { ...bounds, hasMedia: () => true })).toEqual({ inputTokens: 50_000 });
});

test('a request is measured no further than it is asked for', () => {
  const list = Array.from({ length: 100 }, () => ({ role: 'user', content: 'x'.repeat(100) }));
  const whole = JSON.stringify({ messages: list }).length;
  expect([1, 1_000, whole].map((bytes) => isAsLongAs({ messages: list }, bytes))).toEqual([true, true, true]);
  expect(isAsLongAs({ messages: list }, 10 * whole)).toBe(false);
  let read = 0;
  const watched = new Proxy(list, {
    get(target, key) {
      if (/^\d/.test(String(key))) read += 1;
      return Reflect.get(target, key);
    },
  });
  expect(isAsLongAs({ messages: watched }, 1_000)).toBe(true);
  expect(read).toBeLessThan(10);
});
