import { pending, pendingOf } from '@x/core';
import { expect, test } from 'vitest';
import { day, done, hour, minute, trial } from '../test/heartbeat-trial.js';
import type { BeatOutcome } from './beat-types.js';
import { createMemorySchedule } from './schedule.js';

test('a beat whose model calls heartbeat_ok is silent, whatever it writes then', async () => {
  const { clock, heard, reports, start } = trial({
    everyMs: minute,
    reply: async ({ tools }) => {
      await tools[0]!.execute({} as never, {});
      return done('I checked the list; all quiet.');
    },
  });
  const heartbeat = start();
  await clock.advance(minute);
  expect(heard).toEqual([]);
  expect(reports.map(({ outcome }) => outcome)).toEqual(['quiet']);
  await heartbeat.stop();
});

test('an alarm beside heartbeat_ok is heard all the same', async () => {
  const { clock, heard, reports, start } = trial({
    everyMs: minute,
    reply: async ({ tools }) => {
      await tools[0]!.execute({} as never, {});
      return done('ALERT: disk is full');
    },
  });
  const heartbeat = start();
  await clock.advance(minute);
  expect(heard).toEqual(['ALERT: disk is full']);
  expect(reports.map(({ outcome }) => outcome)).toEqual(['heard']);
  await heartbeat.stop();
});

test('an alarm is told once until it changes, the span is over or a quiet beat lies between', async () => {
  const texts = ['09:00 backup old', '09:30 backup old', '10:00 backup old', 'disk full', '11:00 backup old', 'HEARTBEAT_OK', 'backup old'];
  const { clock, heard, reports, start } = trial({ everyMs: hour / 2, reply: () => done(texts.shift() ?? 'rack hot') });
  const heartbeat = start();
  await clock.advance(3.5 * hour);
  expect(heard).toEqual(['09:00 backup old', 'disk full', 'backup old']);
  expect(reports.map(({ outcome }) => outcome)).toEqual(['heard', 'repeated', 'repeated', 'heard', 'repeated', 'quiet', 'heard']);
  await clock.advance(day);
  expect(heard.slice(3)).toEqual(['rack hot', 'rack hot']);
  expect(heartbeat.beats).toEqual(heard);
  await heartbeat.stop();
});

test('an alarm that a process could not bring out before it ended is told by the next one', async () => {
  const schedule = createMemorySchedule();
  const { clock, heard, start } = trial({ everyMs: minute, schedule, reply: () => done('disk full') });
  const first = start({ onBeat: () => new Promise(() => undefined) });
  await clock.advance(minute);
  await first.stop();
  const second = start();
  await clock.advance(2 * minute);
  expect(heard).toEqual(['disk full']);
  await second.stop();
});

test('with repeatAfterMs 0 each alarm is told', async () => {
  const { clock, heard, start } = trial({ everyMs: minute, repeatAfterMs: 0, reply: () => done('disk full') });
  const heartbeat = start();
  await clock.advance(3 * minute);
  expect(heard).toHaveLength(3);
  await heartbeat.stop();
});

test('HEARTBEAT_OK with news is heard without the token', async () => {
  const { clock, heard, start } = trial({ everyMs: minute, reply: () => done('HEARTBEAT_OK but the disk is full') });
  const heartbeat = start();
  await clock.advance(minute);
  expect(heard).toEqual(['but the disk is full']);
  await heartbeat.stop();
});

test('what a callback could not deliver is told as undelivered, kept, and tried again with the next beat', async () => {
  let broken = true;
  const { clock, failed, heard, reports, start } = trial({ everyMs: minute, reply: () => done('news') });
  const heartbeat = start({
    onBeat: (text) => {
      if (broken) throw new Error('channel gone');
      heard.push(text);
    },
  });
  await clock.advance(2 * minute);
  expect(failed).toEqual([
    { code: 'channel gone', failures: 0 },
    { code: 'channel gone', failures: 0 },
  ]);
  expect([heartbeat.beats, heartbeat.undelivered]).toEqual([[], ['news', 'news']]);
  broken = false;
  await clock.advance(minute);
  expect(heard).toEqual(['news']);
  expect(reports.map(({ outcome }) => outcome)).toEqual(['undelivered', 'undelivered', 'heard']);
  await heartbeat.stop();
});

test('a callback that never settles is left behind, and later beats come', async () => {
  const { clock, beats, failed, reports, start } = trial({ everyMs: minute, repeatAfterMs: 0, reply: () => done('news') });
  const heartbeat = start({ onBeat: () => new Promise(() => undefined), maxTellMs: 10_000 });
  await clock.advance(3 * minute + 10_000);
  expect(beats).toHaveLength(3);
  expect(reports.map(({ outcome }) => outcome)).toEqual(['undelivered', 'undelivered', 'undelivered']);
  expect(failed[0]).toEqual({ code: 'deadline_passed', failures: 0 });
  await heartbeat.stop();
  expect(clock.pending).toBe(0);
});

test('slots that pass while a callback runs are not made up for', async () => {
  const { clock, beats, start } = trial({ everyMs: minute, repeatAfterMs: 0, reply: () => done('news') });
  const heartbeat = start({ onBeat: () => new Promise((resolve) => clock.setTimeout(() => resolve(), 2.5 * minute)), maxTellMs: hour });
  await clock.advance(5 * minute);
  expect(beats.map(({ dueAtMs }) => (dueAtMs - Date.UTC(2026, 2, 2)) / minute)).toEqual([1, 4]);
  await heartbeat.stop();
});

test('a report that throws takes nothing down', async () => {
  const { clock, heard, start } = trial({ everyMs: minute, repeatAfterMs: 0, reply: () => done('news') });
  const heartbeat = start({
    onReport: () => {
      throw new Error('no log');
    },
  });
  await clock.advance(2 * minute);
  expect(heard).toEqual(['news', 'news']);
  expect(heartbeat.errors).toHaveLength(2);
  await heartbeat.stop();
});

test('a beat that waits for a human asks once, and is heard only after the answer', async () => {
  const request = pendingOf(pending({ id: 'q', kind: 'approval', prompt: 'Buy milk?' }))!;
  let answer: (outcome: BeatOutcome) => void = () => undefined;
  const resumed = new Promise<BeatOutcome>((resolve) => {
    answer = resolve;
  });
  const { clock, heard, asked, start } = trial({ everyMs: minute, reply: () => ({ status: 'pending', request, resumed }) });
  const heartbeat = start();
  await clock.advance(minute);
  expect([asked, heard]).toEqual([['Buy milk?'], []]);
  answer(done('Bought.'));
  await clock.advance(0);
  expect(heard).toEqual(['Bought.']);
  await heartbeat.stop();
});
