import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ITool, pending, pendingOf } from '@x/core';
import { createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { makeDir, writeFiles } from '../test/make-dir.js';
import type { Beat, BeatOutcome, BeatReport } from './beat-types.js';
import type { HeartbeatOptions } from './heartbeat-settings.js';
import { createMemorySchedule, type SchedulePort } from './schedule.js';
import { startHeartbeat } from './start-heartbeat.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const done = (text: string): BeatOutcome => ({ status: 'done', text });

function withoutClaim(): SchedulePort {
  const { get, set } = createMemorySchedule();
  return { get, set };
}

/** A heartbeat on a virtual clock that remembers what happened. */
function trial(
  options: Partial<HeartbeatOptions> & { readonly reply?: (beat: Beat) => BeatOutcome | Promise<BeatOutcome> },
  startMs = Date.UTC(2026, 2, 2),
) {
  const clock = createVirtualClock(startMs);
  const beats: Beat[] = [];
  const heard: string[] = [];
  const asked: string[] = [];
  const failed: { code: unknown; failures: number }[] = [];
  const reports: BeatReport[] = [];
  const settings: HeartbeatOptions = {
    clock,
    random: () => 0.5,
    checklist: () => '- look around',
    onBeat: (text) => void heard.push(text),
    onPending: (request) => void asked.push(request.prompt),
    onError: (error, { failures }) => failed.push({ code: (error as { code?: unknown }).code ?? (error as Error).message, failures }),
    onReport: (report) => reports.push(report),
    runBeat: async (beat) => {
      beats.push(beat);
      return options.reply?.(beat) ?? done('HEARTBEAT_OK');
    },
    ...options,
  };
  const start = (more: Partial<HeartbeatOptions> = {}) => startHeartbeat({ ...settings, ...more });
  return { clock, beats, heard, asked, failed, reports, start };
}

test('no beat at once, then one at each slot, and only what should be heard is heard', async () => {
  const { clock, beats, heard, start } = trial(
    { everyMs: 20, reply: (beat) => done(beat.atMs % 40 === 0 ? '3pm sync' : 'HEARTBEAT_OK') },
    0,
  );
  const heartbeat = start();
  expect(heartbeat.nextDueMs).toBe(20);
  await clock.advance(0);
  expect(beats).toEqual([]);
  for (let index = 0; index < 4; index += 1) await clock.advance(20);
  expect(beats.map(({ atMs }) => atMs)).toEqual([20, 40, 60, 80]);
  expect(heard).toEqual(['3pm sync', '3pm sync']);
  expect(heartbeat.beats).toEqual(heard);
  await heartbeat.stop();
});

test('the beat’s message tells the time in its zone and how to stay silent', async () => {
  const { clock, beats, start } = trial({ cron: '0 9 * * *', timeZone: 'America/New_York' });
  const heartbeat = start();
  await clock.advance(day);
  expect(beats[0]?.prompt).toMatch(
    /^Heartbeat\. It is Monday, 2026-03-02, 09:00 \(America\/New_York\)\.\n[\s\S]*heartbeat_ok[\s\S]*HEARTBEAT_OK/,
  );
  expect(beats[0]?.tools.map(({ name }) => name)).toEqual(['heartbeat_ok', 'heartbeat_done']);
  await heartbeat.stop();
});

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

test('an empty, commented or missing HEARTBEAT.md costs no model call; one that is filled later does', async () => {
  const dir = makeDir({ 'SOUL.md': 'Ava.', 'HEARTBEAT.md': '# Tasks\n<!-- add tasks here -->\n' });
  const { clock, beats, reports, start } = trial({ everyMs: minute, dir });
  const heartbeat = start();
  await clock.advance(minute);
  rmSync(join(dir, 'HEARTBEAT.md'));
  await clock.advance(minute);
  expect(beats).toEqual([]);
  expect(reports.map(({ outcome }) => outcome)).toEqual(['empty', 'empty']);
  writeFiles(dir, { 'HEARTBEAT.md': '- look at the oven\n' });
  await clock.advance(minute);
  expect(beats).toHaveLength(1);
  await heartbeat.stop();
});

test('each beat gets the soul as the files are then', async () => {
  const dir = makeDir({ 'HEARTBEAT.md': '- tidy', 'MEMORY.md': '- old\n' });
  const { clock, beats, start } = trial({ everyMs: minute, dir });
  const heartbeat = start();
  await clock.advance(minute);
  writeFiles(dir, { 'MEMORY.md': '- new\n' });
  await clock.advance(minute);
  expect(beats.map(({ soul }) => /- (old|new)/.exec(soul?.soul ?? '')?.[1])).toEqual(['old', 'new']);
  expect(beats[0]?.soul?.hash).not.toBe(beats[1]?.soul?.hash);
  await heartbeat.stop();
});

test('errors are counted, told and backed off; a success ends the count', async () => {
  let broken = true;
  const { clock, beats, failed, start } = trial({
    everyMs: minute,
    reply: () => {
      if (broken) throw new Error('no network');
      return done('HEARTBEAT_OK');
    },
  });
  const heartbeat = start();
  await clock.advance(8 * minute);
  expect(beats.map(({ atMs }) => (atMs - Date.UTC(2026, 2, 2)) / minute)).toEqual([1, 2, 4, 8]);
  expect(failed.map(({ failures }) => failures)).toEqual([1, 2, 3, 4]);
  broken = false;
  await clock.advance(8 * minute);
  expect(beats).toHaveLength(5);
  await clock.advance(minute);
  expect(beats).toHaveLength(6);
  expect(heartbeat.errors).toHaveLength(4);
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

test('a granted tool that speaks does not send the quiet token, nor a way to say nothing', async () => {
  const sent: unknown[] = [];
  const send: ITool<{ text: string }> = {
    name: 'send',
    description: 'Sends a message.',
    inputSchema: { type: 'object' },
    execute: (args) => {
      sent.push(args);
      return 'sent';
    },
  };
  const answers: unknown[] = [];
  const { clock, start } = trial({
    everyMs: minute,
    reply: async ({ tools }) => {
      const granted = tools.find(({ name }) => name === 'send')!;
      for (const text of ['HEARTBEAT_OK', '**HEARTBEAT_OK**', 'Nothing to report.', 'The disk is full. HEARTBEAT_OK'])
        answers.push(await granted.execute({ text } as never, {}));
      return done('HEARTBEAT_OK');
    },
  });
  const heartbeat = start({ tools: [send as ITool] });
  await clock.advance(minute);
  expect(sent).toEqual([{ text: 'The disk is full.' }]);
  expect(answers).toEqual([...Array(3).fill(expect.stringContaining('Nothing was sent')), 'sent']);
  await heartbeat.stop();
});

test('a task for one time is ticked off and comes no more, until its line changes', async () => {
  const dir = makeDir({ 'SOUL.md': 'Ava.', 'HEARTBEAT.md': '# Tasks\n- remind me once at noon: call mum\n- feed the cat every day\n' });
  const answers: unknown[] = [];
  const { clock, beats, reports, start } = trial({
    everyMs: minute,
    dir,
    reply: async ({ tools, prompt }) => {
      const tick = tools.find(({ name }) => name === 'heartbeat_done');
      if (!prompt.includes('Done for good')) {
        for (const item of ['cat', 'mail', '', 'Call  mum']) answers.push(await tick!.execute({ item } as never, {}));
      }
      return done('HEARTBEAT_OK');
    },
  });
  const first = start();
  await clock.advance(minute);
  expect(answers).toEqual([
    { output: 'This task repeats, so it stays: feed the cat every day', isError: true },
    { output: 'No open task has these words. Open are:\n- remind me once at noon: call mum\n- feed the cat every day', isError: true },
    { output: 'No open task has these words. Open are:\n- remind me once at noon: call mum\n- feed the cat every day', isError: true },
    'Done for good: remind me once at noon: call mum',
  ]);
  await first.stop();
  const second = start();
  await clock.advance(minute);
  expect(beats[1]?.prompt).toContain('Done for good, leave it out: remind me once at noon: call mum');
  writeFiles(dir, { 'HEARTBEAT.md': '- remind me once at noon: call mum\n  her number is new\n' });
  await clock.advance(minute);
  expect(beats).toHaveLength(2);
  expect(reports.at(-1)?.outcome).toBe('empty');
  writeFiles(dir, { 'HEARTBEAT.md': '- remind me once at one: call mum\n' });
  await clock.advance(minute);
  writeFiles(dir, { 'HEARTBEAT.md': '- remind me once at noon: call mum\n' });
  await clock.advance(minute);
  expect(beats).toHaveLength(4);
  await second.stop();
});

test('a task that was ticked off stays so when the process ends before the beat does', async () => {
  const dir = makeDir({ 'HEARTBEAT.md': '- call mum once\n' });
  const { clock, beats, start } = trial({
    everyMs: minute,
    dir,
    maxBeatMs: 30_000,
    reply: async ({ tools }) => {
      await tools.find(({ name }) => name === 'heartbeat_done')!.execute({ item: 'call mum' } as never, {});
      throw new Error('cut off');
    },
  });
  const heartbeat = start();
  await clock.advance(5 * minute);
  expect(beats).toHaveLength(1);
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

test('slots that pass while a beat runs start no second one', async () => {
  let finish: () => void = () => undefined;
  const { clock, beats, start } = trial(
    { everyMs: 20, reply: () => new Promise((resolve) => (finish = () => resolve(done('HEARTBEAT_OK')))) },
    0,
  );
  const heartbeat = start();
  await clock.advance(70);
  expect(beats).toHaveLength(1);
  finish();
  await clock.advance(10);
  expect(beats.map(({ dueAtMs }) => dueAtMs)).toEqual([20, 80]);
  await heartbeat.stop();
});

test('a beat that hangs is aborted, counted and left behind', async () => {
  const { clock, beats, failed, start } = trial({ everyMs: minute, maxBeatMs: 90_000, reply: () => new Promise(() => undefined) });
  const heartbeat = start();
  await clock.advance(3 * minute);
  expect(failed).toEqual([{ code: 'beat_timeout', failures: 1 }]);
  expect(beats[0]?.signal.aborted).toBe(true);
  await clock.advance(2 * minute);
  expect(beats).toHaveLength(2);
  await heartbeat.stop();
});

test('users go first', async () => {
  let free: () => void = () => undefined;
  const { clock, beats, start } = trial({ everyMs: minute, whenIdle: () => new Promise((resolve) => (free = resolve)) });
  const heartbeat = start();
  await clock.advance(minute + 5_000);
  expect(beats).toEqual([]);
  free();
  await clock.advance(0);
  expect(beats).toHaveLength(1);
  await heartbeat.stop();
});

test('stop clears the timer, aborts a running beat and lets nothing more be heard', async () => {
  const schedule = createMemorySchedule();
  let finish: () => void = () => undefined;
  const { clock, beats, heard, failed, start } = trial({
    everyMs: minute,
    schedule,
    reply: () => new Promise((resolve) => (finish = () => resolve(done('too late')))),
  });
  const heartbeat = start();
  await clock.advance(minute);
  await heartbeat.stop();
  await heartbeat.stop();
  expect(beats[0]?.signal.aborted).toBe(true);
  finish();
  await clock.advance(hour);
  expect(clock.pending).toBe(0);
  expect([heard, failed]).toEqual([[], []]);
  expect(heartbeat.nextDueMs).toBeUndefined();
  expect((await schedule.get('heartbeat'))?.running).toBeUndefined();
});

test('an interval longer than a timer can hold neither spins nor comes early', async () => {
  const { clock, beats, start } = trial({ everyMs: 60 * day, checkEveryMs: 60 * day });
  const delays: number[] = [];
  const setTimeout = (fn: () => void, ms: number): (() => void) => {
    delays.push(ms);
    return clock.setTimeout(fn, ms);
  };
  const heartbeat = start({ clock: { now: () => clock.now(), setTimeout } });
  await clock.advance(59 * day);
  expect(beats).toEqual([]);
  await clock.advance(2 * day);
  expect(beats).toHaveLength(1);
  expect(delays.length).toBeLessThan(12);
  expect(Math.max(...delays)).toBeLessThanOrEqual(2_147_483_647);
  await heartbeat.stop();
});

test('a machine that slept notices within one look at the clock', async () => {
  const { clock, beats, start } = trial({ everyMs: 10 * minute });
  let asleepMs = 0;
  const heartbeat = start({ clock: { now: () => clock.now() + asleepMs, setTimeout: (fn, ms) => clock.setTimeout(fn, ms) } });
  await clock.advance(minute);
  asleepMs = 2 * hour;
  await clock.advance(minute);
  expect(beats).toHaveLength(1);
  await heartbeat.stop();
});

test('a clock that is set back runs no slot twice', async () => {
  const { clock, beats, start } = trial({ everyMs: 10 * minute });
  let offsetMs = 0;
  const heartbeat = start({ clock: { now: () => clock.now() + offsetMs, setTimeout: (fn, ms) => clock.setTimeout(fn, ms) } });
  await clock.advance(10 * minute);
  offsetMs = -5 * minute;
  await clock.advance(10 * minute);
  expect(beats).toHaveLength(1);
  await clock.advance(5 * minute);
  expect(beats).toHaveLength(2);
  await heartbeat.stop();
});

for (const [missed, dues] of [
  ['skip', []],
  ['once', [1]],
  ['all', [1, 2, 3]],
] as const) {
  test(`after three missed slots the policy ${missed} runs ${dues.length} of them, then goes on`, async () => {
    const schedule = createMemorySchedule();
    const { clock, beats, reports, start } = trial({ everyMs: hour, schedule, missed });
    const first = start();
    await first.stop();
    await clock.advance(3.5 * hour);
    const second = start();
    await clock.advance(minute);
    const from = Date.UTC(2026, 2, 2);
    expect(beats.map(({ dueAtMs }) => (dueAtMs - from) / hour)).toEqual(dues);
    expect(reports.some(({ outcome }) => outcome === 'dropped')).toBe(missed === 'skip');
    if (dues.length > 0) expect(beats[0]?.prompt).toContain('This beat was due on Monday, 2026-03-02, 01:00.');
    await clock.advance(hour / 2);
    expect(beats.map(({ dueAtMs }) => (dueAtMs - from) / hour)).toEqual([...dues, 4]);
    await second.stop();
  });
}

test('with the policy all the newest missed slots are kept, and a failure among them is backed off, not skipped', async () => {
  const schedule = createMemorySchedule();
  let failures = 1;
  const { clock, beats, reports, start } = trial({
    everyMs: hour,
    schedule,
    missed: 'all',
    maxMissed: 2,
    reply: () => {
      if (failures-- > 0) throw new Error('flaky');
      return done('HEARTBEAT_OK');
    },
  });
  await start().stop();
  await clock.advance(5.1 * hour);
  const heartbeat = start();
  await clock.advance(2 * hour);
  const from = Date.UTC(2026, 2, 2);
  expect(beats.map(({ dueAtMs }) => (dueAtMs - from) / hour)).toEqual([4, 5, 6, 7]);
  expect(reports.find(({ outcome }) => outcome === 'dropped')?.slots).toBe(3);
  await heartbeat.stop();
});

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

test('a schedule that answers later, or fails for a while, only delays', async () => {
  const memory = createMemorySchedule();
  let down = true;
  const slow: SchedulePort = {
    async get(key) {
      await Promise.resolve();
      if (down) throw new Error('database down');
      return memory.get(key);
    },
    set: async (key, row) => void (await memory.set(key, row)),
  };
  const { clock, beats, failed, start } = trial({ everyMs: minute, schedule: slow });
  const heartbeat = start();
  await heartbeat.ready;
  await clock.advance(minute);
  down = false;
  await clock.advance(2 * minute);
  expect(failed.map(({ code }) => code)).toContain('database down');
  expect(beats.length).toBeGreaterThan(0);
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

test('new settings after a restart take effect at once', async () => {
  const schedule = createMemorySchedule();
  const { clock, beats, start } = trial({ everyMs: day, schedule });
  await start().stop();
  const heartbeat = start({ everyMs: hour });
  expect(heartbeat.nextDueMs).toBe(Date.UTC(2026, 2, 2) + hour);
  await clock.advance(2 * hour);
  expect(beats).toHaveLength(2);
  await heartbeat.stop();
});

test('jitter only delays', async () => {
  const { clock, beats, start } = trial({ everyMs: hour, jitterMs: 10 * minute });
  const heartbeat = start();
  await clock.advance(3 * hour);
  expect(beats.map(({ atMs, dueAtMs }) => [(dueAtMs - Date.UTC(2026, 2, 2)) / hour, atMs - dueAtMs])).toEqual([
    [1, 5 * minute],
    [2, 5 * minute],
  ]);
  await heartbeat.stop();
});

test.each([
  { everyMs: 0 },
  { everyMs: Number.NaN },
  {},
  { everyMs: 5, missed: 'twice' as never },
  { everyMs: 5, jitterMs: -1 },
  { everyMs: 5, maxBeatMs: 0 },
])('settings %j start nothing', (settings) => {
  const clock = createVirtualClock();
  expect(() => startHeartbeat({ clock, runBeat: async () => done(''), ...settings })).toThrow(
    expect.objectContaining({ code: 'heartbeat_config_invalid' }),
  );
  expect(clock.pending).toBe(0);
});
