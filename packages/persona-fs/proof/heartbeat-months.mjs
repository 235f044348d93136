/**
 * A thousand agents in six zones, one beat a day at nine in the morning there, for ninety days with changes of clocks, while the process
 * is killed and started again. When each beat is due is computed apart, from the zones' own tables.
 */
import { beatSlots, startHeartbeat } from '@x/persona-fs';
import { createManyTimers } from './lib/many-timers.mjs';
import { seeded } from './lib/random.mjs';

const ZONES = ['Europe/Berlin', 'America/New_York', 'America/Los_Angeles', 'Australia/Sydney', 'Asia/Tokyo', 'America/Santiago'];
const POLICIES = ['skip', 'once', 'all'];
const GRACE_MS = 60_000;
const [MINUTE, DAY] = [60_000, 86_400_000];

/** Every 09:00 of a zone between two times, found by asking the zone what time it is. */
function mornings(timeZone, fromMs, toMs) {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const found = [];
  for (let atMs = fromMs; atMs <= toMs; atMs += 15 * MINUTE) if (clock.format(atMs) === '09:00') found.push(atMs);
  return found;
}

/** That many times without a process, apart from one another; one in thirty lasts for more than a day. */
function planOutages(random, { count, fromMs, toMs }) {
  const lengths = Array.from({ length: count }, (_, index) =>
    index % 30 === 7 ? DAY * (1 + random.next()) : 1 + random.next() * 30 * MINUTE,
  );
  const pauses = Array.from({ length: count + 1 }, () => 0.05 + random.next());
  const sum = (list) => list.reduce((total, item) => total + item, 0);
  const scale = (toMs - fromMs - sum(lengths)) / sum(pauses);
  let atMs = fromMs;
  return lengths.map((lengthMs, index) => {
    const downMs = Math.floor(atMs + pauses[index] * scale);
    atMs = Math.floor(downMs + lengthMs);
    return { downMs, upMs: atMs };
  });
}

export default async function ({ short, log }) {
  const [agents, days, restarts] = short ? [60, 90, 20] : [1_000, 90, 500];
  const random = seeded(5);
  // From 15 February the clocks change in America, Europe, Australia and Chile.
  const startMs = Date.UTC(2026, 1, 15, 0, 30);
  const endMs = startMs + days * DAY;
  const expected = new Map(ZONES.map((zone) => [zone, mornings(zone, startMs, endMs)]));
  const shifts = ZONES.filter((zone) => new Set(expected.get(zone).map((atMs) => atMs % DAY)).size > 1).length;
  const outages = planOutages(random, { count: restarts, fromMs: startMs, toMs: endMs });

  const started = performance.now();
  const clock = createManyTimers(startMs);
  const rows = new Map();
  const schedule = {
    get: (key) => (rows.has(key) ? JSON.parse(rows.get(key)) : undefined),
    set: (key, row) => void rows.set(key, JSON.stringify(row)),
    claim(key, row, revision) {
      if ((this.get(key)?.revision ?? 0) !== revision) return false;
      rows.set(key, JSON.stringify(row));
      return true;
    },
  };
  const slots = new Map(ZONES.map((timeZone) => [timeZone, beatSlots({ cron: '0 9 * * *', timeZone })]));
  const team = Array.from({ length: agents }, (_, index) => ({
    key: `agent-${index}`,
    timeZone: ZONES[index % ZONES.length],
    missed: POLICIES[Math.floor(index / ZONES.length) % 3],
    beats: [],
    dropped: [],
  }));
  const boot = () => {
    for (const { key, timeZone, missed, beats, dropped } of team) {
      startHeartbeat({
        key,
        schedule,
        clock,
        timeZone,
        cron: '0 9 * * *',
        slots: slots.get(timeZone),
        missed,
        graceMs: GRACE_MS,
        maxBeatMs: MINUTE,
        checkEveryMs: 100 * DAY,
        checklist: () => '- look around',
        onReport: ({ outcome, dueAtMs }) => outcome === 'dropped' && dropped.push(dueAtMs),
        async runBeat({ dueAtMs, atMs }) {
          beats.push({ dueAtMs, atMs });
          return { status: 'done', text: 'HEARTBEAT_OK' };
        },
      });
    }
  };
  boot();
  for (const [index, { downMs, upMs }] of outages.entries()) {
    await clock.advanceTo(downMs);
    clock.crash();
    await clock.advanceTo(upMs);
    boot();
    if (index % 100 === 99) log(`${index + 1} restarts`);
  }
  await clock.advanceTo(endMs);
  const seconds = (performance.now() - started) / 1_000;

  let [early, double, wrong, onTime, missed, beatsRun] = [0, 0, 0, 0, 0, 0];
  const problems = new Map();
  for (const { timeZone, missed: policy, beats, dropped } of team) {
    const dues = expected.get(timeZone);
    const known = new Set(dues);
    beatsRun += beats.length;
    early += beats.filter(({ dueAtMs, atMs }) => atMs < dueAtMs || !known.has(dueAtMs)).length;
    double += beats.length - new Set(beats.map(({ dueAtMs }) => dueAtMs)).size;
    const ran = new Map(beats.map(({ dueAtMs, atMs }) => [dueAtMs, atMs]));
    const fail = (why) => {
      wrong += 1;
      problems.set(`${policy}: ${why}`, (problems.get(`${policy}: ${why}`) ?? 0) + 1);
    };
    for (const dueAtMs of dues) {
      const outage = outages.find(({ downMs, upMs }) => downMs < dueAtMs && dueAtMs < upMs);
      if (outage === undefined) {
        if (ran.get(dueAtMs) === dueAtMs) onTime += 1;
        else fail('not on time');
        continue;
      }
      missed += 1;
      const together = dues.filter((atMs) => outage.downMs < atMs && atMs < outage.upMs);
      const isFirst = together[0] === dueAtMs;
      const made = ran.get(dueAtMs) === outage.upMs;
      if (policy === 'all' && !made) fail('a missed beat was not made up for');
      if (policy === 'once' && made !== isFirst) fail('not exactly one beat for what was missed');
      if (policy === 'skip') {
        const late = outage.upMs - together[0] > GRACE_MS;
        if (made !== (!late && isFirst)) fail('a missed beat was run');
        if (late && isFirst && !dropped.includes(dueAtMs)) fail('a missed beat was dropped in silence');
      }
    }
  }
  for (const [why, times] of problems) log(`${why}: ${times}`);
  const size = `${agents} agents × ${days} days × ${ZONES.length} zones (clocks change in ${shifts}), ${outages.length} restarts`;
  return [
    {
      claim: `${size}: no beat is early or double`,
      figure: `${early} early, ${double} double of ${beatsRun} beats`,
      limit: '0 and 0',
      pass: early + double === 0 && onTime > 0,
    },
    {
      claim: 'Every beat that was due while the process ran came at 09:00 there, and every missed one was handled by its policy',
      figure: `${wrong} wrong; ${onTime} on time, ${missed} missed`,
      limit: '0 wrong',
      pass: wrong === 0 && missed > 0,
    },
    { claim: 'All of it takes less than a minute', figure: `${seconds.toFixed(1)} s`, limit: 'under 60 s', pass: seconds < 60 },
  ];
}
