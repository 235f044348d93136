import { createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { day, done, hour, minute, trial } from '../test/heartbeat-trial.js';
import { beatSlots } from './beat-slots.js';
import { createMemorySchedule, type SchedulePort } from './schedule.js';
import { startHeartbeat } from './start-heartbeat.js';

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

test.each([
  ['interval', { everyMs: 10 * minute }],
  ['pattern', { cron: '*/10 * * * *' }],
])('beats by %s go on after a clock that ran a year ahead was set right', async (_, settings) => {
  const { clock, beats, start } = trial(settings);
  let aheadMs = 365 * day;
  const wrong = { now: () => clock.now() + aheadMs, setTimeout: clock.setTimeout };
  const heartbeat = start({ clock: wrong });
  await clock.advance(11 * minute);
  expect(beats).toHaveLength(1);
  aheadMs = 0;
  await clock.advance(hour);
  expect(beats.length).toBeGreaterThan(5);
  expect(heartbeat.nextDueMs).toBe(Math.ceil(clock.now() / (10 * minute)) * 10 * minute);
  await heartbeat.stop();
});

test.each([
  ['a claim', { failures: 0, running: { dueAtMs: Date.UTC(2027, 2, 2), untilMs: Date.UTC(2027, 2, 2) + 10 * minute } }],
  ['a pause after failures', { failures: 3 }],
])('%s that a process left whose clock ran ahead holds nothing up', async (_, left) => {
  const schedule = createMemorySchedule();
  const { clock, beats, start } = trial({ everyMs: 10 * minute, schedule });
  const aheadMs = Date.UTC(2027, 2, 2);
  await schedule.set('heartbeat', { nextDueMs: aheadMs + hour, lastDueMs: aheadMs, anchorMs: clock.now(), revision: 7, ...left });
  const heartbeat = start();
  await clock.advance(2 * hour);
  expect(beats.length).toBeGreaterThan(5);
  await heartbeat.stop();
});

test('of a year of missed minutes only the newest are walked', async () => {
  const { clock, beats, reports, start } = trial({ cron: '* * * * *', missed: 'all', maxMissed: 3 });
  let calls = 0;
  const slots = beatSlots({ cron: '* * * * *' });
  const next = (afterMs: number, anchorMs: number) => {
    calls += 1;
    return slots.next(afterMs, anchorMs);
  };
  const counted = { ...slots, next };
  let asleepMs = 0;
  const heartbeat = start({ slots: counted, clock: { now: () => clock.now() + asleepMs, setTimeout: clock.setTimeout } });
  asleepMs = 365 * day;
  await clock.advance(minute);
  const from = Date.UTC(2027, 2, 2);
  expect(beats.map(({ dueAtMs }) => (dueAtMs - from) / minute)).toEqual([-1, 0, 1]);
  expect(reports[0]).toMatchObject({ outcome: 'dropped', slots: 1_000 });
  expect(calls).toBeLessThan(2_000);
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

test.each(['get', 'claim'] as const)(
  'a schedule whose %s fails while it is opened holds nothing up, and lets no beat come early',
  async (name) => {
    const memory = createMemorySchedule() as Required<SchedulePort>;
    let down = true;
    const flaky: SchedulePort = {
      ...memory,
      [name]: (...args: never[]) => {
        if (down) throw new Error('disk full');
        return (memory[name] as (...args: never[]) => unknown)(...args);
      },
    };
    const { clock, beats, start } = trial({ everyMs: 10 * minute, schedule: flaky });
    const heartbeat = start();
    await clock.advance(5 * minute);
    expect(beats).toEqual([]);
    down = false;
    await clock.advance(25 * minute);
    expect(beats.map(({ dueAtMs }) => (dueAtMs - Date.UTC(2026, 2, 2)) / minute)).toEqual([10, 20, 30]);
    await heartbeat.stop();
  },
);

test('a schedule that refuses every claim is not asked without a pause', async () => {
  let asked = 0;
  const refusing: SchedulePort = { get: () => undefined, set: () => undefined, claim: () => asked++ < 0 };
  const { clock, beats, start } = trial({ everyMs: minute, schedule: refusing });
  const slow = { now: clock.now, setTimeout: (fn: () => void, ms: number) => clock.setTimeout(fn, Math.max(ms, 1)) };
  const heartbeat = start({ clock: slow });
  await heartbeat.ready;
  await clock.advance(minute + 500);
  expect(asked).toBeLessThan(5);
  expect(beats).toEqual([]);
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

test.each([
  { told: 'x' },
  { told: [null, { key: 5 }] },
  { done: {} },
  { done: 'x' },
  { failures: 'x' },
  { failures: -1 },
  { failures: Number.NaN },
  { running: 'x' },
  { running: { dueAtMs: 0, untilMs: 'x' } },
  { lastDueMs: 'x' },
  { anchorMs: null },
  { nextDueMs: 'x' },
  { nextDueMs: null },
])('a stored row with %j goes on without it', async (malformed) => {
  const schedule = createMemorySchedule();
  const { clock, beats, heard, failed, start } = trial(
    { everyMs: hour, schedule, reply: ({ atMs }) => done(`Pot ${atMs / hour} is dry`) },
    0,
  );
  await schedule.set('heartbeat', { nextDueMs: hour, anchorMs: 0, failures: 0, revision: 3, ...malformed } as never);
  const heartbeat = start();
  await heartbeat.ready;
  for (let hours = 0; hours < 6; hours += 1) await clock.advance(hour);
  expect([beats.length, heard.length, failed]).toEqual([6, 6, []]);
  await heartbeat.stop();
});
