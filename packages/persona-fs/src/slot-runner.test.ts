import { expect, test } from 'vitest';
import { done, hour, minute, trial } from '../test/heartbeat-trial.js';
import { makeDir } from '../test/make-dir.js';
import { createMemorySchedule, type SchedulePort } from './schedule.js';

function withoutClaim(): SchedulePort {
  const { get, set } = createMemorySchedule();
  return { get, set };
}

test('two processes on one schedule run each slot once', async () => {
  const schedule = createMemorySchedule();
  const { clock, beats, reports, start } = trial({ everyMs: minute, schedule });
  const pair = [start(), start()];
  await clock.advance(10 * minute);
  expect(beats.map(({ dueAtMs }) => (dueAtMs - Date.UTC(2026, 2, 2)) / minute)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(reports.filter(({ outcome }) => outcome === 'quiet')).toHaveLength(10);
  for (const heartbeat of pair) await heartbeat.stop();
});

for (const [name, schedule] of [
  ['with', createMemorySchedule()],
  ['without', withoutClaim()],
] as const) {
  test(`a process that slept over its claim drops what it would say, ${name} claims in the schedule`, async () => {
    let finish: (text: string) => void = () => undefined;
    let asleepMs = 0;
    const sleeper = trial({
      everyMs: 10 * minute,
      schedule,
      maxBeatMs: 5 * minute,
      reply: () => new Promise((resolve) => (finish = (text) => resolve(done(text)))),
    });
    const other = trial({ everyMs: 10 * minute, schedule, maxBeatMs: 5 * minute, reply: () => done('B says') });
    const pair = [
      sleeper.start({ clock: { now: () => sleeper.clock.now() + asleepMs, setTimeout: (fn, ms) => sleeper.clock.setTimeout(fn, ms) } }),
      other.start(),
    ];
    await sleeper.clock.advance(10 * minute);
    await other.clock.advance(20 * minute);
    expect(other.heard).toEqual(['B says']);
    asleepMs = 10 * minute;
    finish('A says');
    await sleeper.clock.advance(0);
    expect(sleeper.heard).toEqual([]);
    expect(sleeper.reports.map(({ outcome }) => outcome)).toEqual(['taken']);
    for (const heartbeat of pair) await heartbeat.stop();
  });
}

test('heartbeats on one directory beat once, without a schedule of their own, also after a restart', async () => {
  const dir = makeDir({ 'HEARTBEAT.md': '- look around\n' });
  const { clock, beats, start } = trial({ everyMs: hour, dir, missed: 'once' });
  const team = Array.from({ length: 12 }, () => start());
  await clock.advance(2 * hour);
  expect(beats.map(({ dueAtMs }) => (dueAtMs - Date.UTC(2026, 2, 2)) / hour)).toEqual([1, 2]);
  for (const heartbeat of team) await heartbeat.stop();
  await clock.advance(2.5 * hour);
  const again = start();
  await clock.advance(minute);
  expect(beats.map(({ dueAtMs }) => (dueAtMs - Date.UTC(2026, 2, 2)) / hour)).toEqual([1, 2, 3]);
  expect(again.errors).toEqual([]);
  await again.stop();
});

test('a beat that a crash cut off is told and not run again', async () => {
  const schedule = createMemorySchedule();
  const { clock, beats, failed, start } = trial({ everyMs: hour, schedule, maxBeatMs: 5 * minute });
  await schedule.set('heartbeat', {
    nextDueMs: clock.now() + hour,
    anchorMs: clock.now(),
    failures: 0,
    revision: 7,
    running: { dueAtMs: clock.now(), untilMs: clock.now() + 5 * minute },
  });
  const heartbeat = start();
  await clock.advance(hour);
  expect(failed).toEqual([{ code: 'beat_interrupted', failures: 0 }]);
  expect(beats.map(({ dueAtMs }) => dueAtMs)).toEqual([Date.UTC(2026, 2, 2) + hour]);
  await heartbeat.stop();
});

test('a slot that is claimed elsewhere waits until the claim is over', async () => {
  const schedule = createMemorySchedule();
  const { clock, beats, start } = trial({ everyMs: hour, schedule });
  await schedule.set('heartbeat', {
    nextDueMs: clock.now(),
    anchorMs: clock.now(),
    failures: 0,
    revision: 7,
    running: { dueAtMs: clock.now() - hour, untilMs: clock.now() + 3 * minute },
  });
  const heartbeat = start();
  await clock.advance(2 * minute);
  expect(beats).toEqual([]);
  await clock.advance(2 * minute);
  expect(beats).toHaveLength(1);
  await heartbeat.stop();
});

test('a schedule that fails while a beat runs keeps nothing from being heard', async () => {
  const memory = createMemorySchedule();
  let down = false;
  const schedule: SchedulePort = {
    ...memory,
    claim: (key, row, expected) => {
      if (down) throw new Error('database down');
      return memory.claim!(key, row, expected);
    },
  };
  const { clock, heard, failed, start } = trial({
    everyMs: minute,
    schedule,
    maxBeatMs: minute,
    repeatAfterMs: 0,
    reply: () => {
      down = true;
      return done('news');
    },
  });
  const heartbeat = start();
  await clock.advance(minute);
  expect([heard, failed]).toEqual([['news'], [{ code: 'database down', failures: 0 }]]);
  down = false;
  await clock.advance(2 * minute);
  expect(heard).toHaveLength(2);
  await heartbeat.stop();
});
