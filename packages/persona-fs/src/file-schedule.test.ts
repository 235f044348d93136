import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDir } from '../test/make-dir.js';
import { createFileSchedule } from './file-schedule.js';
import type { ScheduleRow } from './schedule.js';

const row = (revision: number, nextDueMs = 1_000): ScheduleRow => ({ nextDueMs, anchorMs: 0, failures: 0, revision });
const files = (dir: string): string[] => readdirSync(join(dir, '.persona/schedule')).sort();

test('a row is read back, by this and by another opening of the same directory', () => {
  const dir = makeDir();
  const schedule = createFileSchedule(dir);
  expect(schedule.get('a')).toBeUndefined();
  expect(schedule.claim('a', row(1), 0)).toBe(true);
  expect(createFileSchedule(dir).get('a')).toEqual(row(1));
  expect(schedule.get('b')).toBeUndefined();
});

test('of two that claim one revision a single one wins, and the loser writes nothing', () => {
  const dir = makeDir();
  const [one, other] = [createFileSchedule(dir), createFileSchedule(dir)];
  expect([one.claim('a', row(1, 1), 0), other.claim('a', row(1, 2), 0)]).toEqual([true, false]);
  expect([one.claim('a', row(2, 3), 1), other.claim('a', row(2, 4), 1), other.claim('a', row(1, 5), 0)]).toEqual([true, false, false]);
  expect(other.get('a')).toEqual(row(2, 3));
  // A claim on a revision whose file is gone long since must lose too.
  one.claim('a', row(3), 2);
  one.claim('a', row(4), 3);
  expect(other.claim('a', row(2), 1)).toBe(false);
  expect(other.get('a')).toEqual(row(4));
  for (let revision = 4; revision < 30; revision += 1) one.claim('a', row(revision + 1), revision);
  expect(files(dir).length).toBeLessThan(12);
  expect(other.get('a')?.revision).toBe(30);
});

test('set writes whatever stands there', () => {
  const dir = makeDir();
  const schedule = createFileSchedule(dir);
  schedule.set('a', row(7));
  schedule.set('a', row(3));
  expect(schedule.get('a')).toMatchObject({ nextDueMs: 1_000, revision: 8 });
});

test('a row that cannot be read counts as none, and is replaced', () => {
  const dir = makeDir();
  const schedule = createFileSchedule(dir);
  schedule.claim('a', row(1), 0);
  const [name = ''] = files(dir);
  for (const text of ['', '{"nextDueMs":', '[]', '{"nextDueMs":"x"}']) {
    writeFileSync(join(dir, '.persona/schedule', name), text);
    expect(schedule.get('a')).toBeUndefined();
  }
  expect(schedule.claim('a', row(1), 0)).toBe(true);
  expect(schedule.get('a')?.nextDueMs).toBe(1_000);
});

test('a damaged row is read from the revision before it, and goes on from its own number', () => {
  const dir = makeDir();
  const schedule = createFileSchedule(dir);
  schedule.claim('a', row(1, 5), 0);
  schedule.claim('a', row(2, 6), 1);
  writeFileSync(join(dir, '.persona/schedule', files(dir).at(-1)!), '');
  expect(schedule.get('a')).toEqual(row(2, 5));
  expect(schedule.claim('a', row(3, 7), 2)).toBe(true);
  expect(schedule.get('a')).toEqual(row(3, 7));
});

test('what a killed writer left behind is not read', () => {
  const dir = makeDir();
  const schedule = createFileSchedule(dir);
  schedule.claim('a', row(1), 0);
  writeFileSync(join(dir, '.persona/schedule/tmp-0123456789abcdef'), '{"nextDueMs":5');
  expect(schedule.get('a')).toEqual(row(1));
});

test('no link is followed, and nothing is written behind one', () => {
  const outside = makeDir();
  const dir = makeDir();
  symlinkSync(outside, join(dir, '.persona'));
  const schedule = createFileSchedule(dir);
  expect(() => schedule.claim('a', row(1), 0)).toThrow(expect.objectContaining({ code: 'memory_path_unsafe' }));
  expect(readdirSync(outside)).toEqual([]);
});

test('a directory that may not be written keeps the schedule in memory from where it was', () => {
  const dir = makeDir();
  const schedule = createFileSchedule(dir);
  schedule.claim('a', row(1), 0);
  rmSync(join(dir, '.persona'), { recursive: true });
  writeFileSync(join(dir, '.persona'), '');
  expect(() => schedule.claim('a', row(2), 1)).toThrow(expect.objectContaining({ code: 'memory_path_unsafe' }));
  rmSync(join(dir, '.persona'));
  chmodSync(dir, 0o500);
  // Root may write all the same; either way the claim is won.
  expect(schedule.claim('a', row(1), 0)).toBe(true);
  expect(schedule.claim('a', row(2), 1)).toBe(true);
  expect(schedule.get('a')).toEqual(row(2));
  chmodSync(dir, 0o700);
});

test('a directory that is missing is not made; until it is there the schedule is kept in memory', () => {
  const dir = makeDir();
  rmSync(dir, { recursive: true });
  const schedule = createFileSchedule(dir);
  expect(schedule.claim('a', row(1), 0)).toBe(true);
  expect(schedule.get('a')).toEqual(row(1));
  mkdirSync(dir);
  expect(schedule.claim('a', row(2), 1)).toBe(true);
  expect(createFileSchedule(dir).get('a')).toEqual(row(2));
});

test('a directory that was away while the schedule went on in memory takes it over', () => {
  const dir = makeDir();
  const schedule = createFileSchedule(dir);
  schedule.claim('a', row(1), 0);
  renameSync(dir, `${dir}-away`);
  expect(schedule.get('a')).toBeUndefined();
  expect(schedule.claim('a', row(1, 2), 0)).toBe(true);
  expect(schedule.claim('a', row(2, 3), 1)).toBe(true);
  renameSync(`${dir}-away`, dir);
  expect(schedule.get('a')).toEqual(row(2, 3));
  expect(schedule.claim('a', row(3, 4), 2)).toBe(true);
  expect(createFileSchedule(dir).get('a')).toEqual(row(3, 4));
});
