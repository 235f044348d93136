import { expect, test } from 'vitest';
import { alarmKey, planTelling } from './alarm-key.js';

test.each([
  ['09:00 backup old', '09:30 backup old'],
  ['[09:00] Backup old!', '10:00: **backup** old'],
  ['2026-03-02T09:00:00Z backup old', 'Backup old (2026-03-02 09:30)'],
  ['At 09:00 the backup is old', 'At 9:30 am the backup is old'],
  ['The backup is 25 hours old', 'The backup is 26 hours old'],
  ['Backup failed 5 minutes ago', 'Backup failed 35 minutes ago'],
  ['Reminder #1: backup old', 'Reminder #2: backup old'],
  ['1. backup old', '2. backup old'],
  ['The rent is due in 3 days', 'The rent is due in 1 day'],
  ['Flight leaves in 45 minutes', 'Flight leaves in 15 min'],
])('%j and %j are one alarm', (one, other) => {
  expect(alarmKey(one)).toBe(alarmKey(other));
});

test.each([
  ['Backup old', 'Disk full'],
  ['Disk 80% full', 'Disk 95% full'],
  ['3 orders failed', '40 orders failed'],
  ['Your sync starts at 15:00', 'Your sync starts at 16:00'],
  ['3pm sync', '4pm sync'],
  ['Meeting moved to 2026-03-04', 'Meeting moved to 2026-03-05'],
  ['🔥', '🚨'],
  ['Flight leaves in 3 hours', 'Flight leaves in 30 minutes'],
  ['The rent is due in 2 days', 'The rent is due in 5h'],
])('%j and %j are two', (one, other) => {
  expect(alarmKey(one)).not.toBe(alarmKey(other));
});

test('an alarm is told once within the span, then again', () => {
  const first = planTelling(undefined, '09:00 backup old', { nowMs: 0, spanMs: 100 });
  expect(first).toMatchObject({ isRepeat: false, told: [{ atMs: 0 }] });
  expect(planTelling(first.told, '09:30 backup old', { nowMs: 99, spanMs: 100 })).toEqual({ isRepeat: true, told: first.told });
  expect(planTelling(first.told, '09:30 backup old', { nowMs: 100, spanMs: 100 })).toMatchObject({
    isRepeat: false,
    told: [{ atMs: 100 }],
  });
  expect(planTelling(first.told, 'disk full', { nowMs: 50, spanMs: 100 })).toMatchObject({
    isRepeat: false,
    told: [{ atMs: 0 }, { atMs: 50 }],
  });
  expect(planTelling(first.told, 'backup old', { nowMs: -1, spanMs: 100 }).isRepeat).toBe(false);
  expect(planTelling(first.told, 'backup old', { nowMs: 1, spanMs: 0 })).toEqual({ isRepeat: false, told: [] });
});
