import { expect, test } from 'vitest';
import { beatSlots } from './beat-slots.js';

const at = (text: string): number => Date.parse(text);
const times = (slots: ReturnType<typeof beatSlots>, from: string, count: number): string[] => {
  const found: string[] = [];
  for (let now = at(from); found.length < count; ) {
    now = slots.next(now, at('2026-01-01T00:00:00Z')) ?? Number.NaN;
    found.push(new Date(now).toISOString().slice(0, 16));
  }
  return found;
};

test('an interval lies on a grid and does not drift', () => {
  const slots = beatSlots({ everyMs: 3_600_000 });
  expect(times(slots, '2026-03-01T10:17:00Z', 2)).toEqual(['2026-03-01T11:00', '2026-03-01T12:00']);
  expect(slots.next(1_000, 1_000)).toBe(3_601_000);
});

test('an interval of months is as good as any other', () => {
  expect(times(beatSlots({ everyMs: 30 * 86_400_000 }), '2026-01-01T00:00:00Z', 2)).toEqual(['2026-01-31T00:00', '2026-03-02T00:00']);
});

test('nine in the morning stays nine in the morning when clocks change', () => {
  const slots = beatSlots({ cron: '0 9 * * *', timeZone: 'Europe/Berlin' });
  expect(times(slots, '2026-03-28T00:00:00Z', 3)).toEqual(['2026-03-28T08:00', '2026-03-29T07:00', '2026-03-30T07:00']);
  expect(times(slots, '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T08:00', '2026-10-26T08:00']);
});

test('a time that a change of clocks skips comes once, one that it repeats comes once', () => {
  const slots = beatSlots({ cron: '30 2 * * *', timeZone: 'Europe/Berlin' });
  expect(times(slots, '2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T01:00', '2026-03-30T00:30']);
  expect(times(slots, '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30', '2026-10-26T01:30']);
});

test('so do times whose hours are a list, a range or steps; where every hour counts, each that passes does', () => {
  const berlin = (cron: string, from: string, count: number) => times(beatSlots({ cron, timeZone: 'Europe/Berlin' }), from, count);
  expect(berlin('30 2,14 * * *', '2026-03-28T20:00:00Z', 3)).toEqual(['2026-03-29T01:00', '2026-03-29T12:30', '2026-03-30T00:30']);
  expect(berlin('30 2,14 * * *', '2026-10-24T20:00:00Z', 2)).toEqual(['2026-10-25T00:30', '2026-10-25T13:30']);
  expect(berlin('0 */2 * * *', '2026-10-24T22:00:00Z', 2)).toEqual(['2026-10-25T00:00', '2026-10-25T03:00']);
  expect(berlin('0 */2 * * *', '2026-03-28T23:00:00Z', 2)).toEqual(['2026-03-29T01:00', '2026-03-29T02:00']);
  expect(berlin('0,30 1-3 * * *', '2026-10-24T22:00:00Z', 6)).toEqual([
    '2026-10-24T23:00',
    '2026-10-24T23:30',
    '2026-10-25T00:00',
    '2026-10-25T00:30',
    '2026-10-25T02:00',
    '2026-10-25T02:30',
  ]);
  expect(berlin('15,45 2 29 3 *', '2026-01-01T00:00:00Z', 2)).toEqual(['2026-03-29T01:00', '2027-03-29T00:15']);
  expect(berlin('*/30 * * * *', '2026-10-25T00:10:00Z', 4)).toEqual([
    '2026-10-25T00:30',
    '2026-10-25T01:00',
    '2026-10-25T01:30',
    '2026-10-25T02:00',
  ]);
  const island = beatSlots({ cron: '45 1,13 * * *', timeZone: 'Australia/Lord_Howe' });
  expect(times(island, '2026-04-04T10:00:00Z', 2)).toEqual(['2026-04-04T14:45', '2026-04-05T03:15']);
  expect(times(beatSlots({ cron: '0,20 0 * * *', timeZone: 'Asia/Beirut' }), '2026-03-28T12:00:00Z', 2)).toEqual([
    '2026-03-28T22:00',
    '2026-03-29T21:00',
  ]);
});

test('active hours are read in the zone, and a slot outside moves to their start', () => {
  const slots = beatSlots({ everyMs: 4 * 3_600_000, timeZone: 'Asia/Shanghai', activeHours: { from: '09:00', to: '17:00' } });
  // 00:00, 04:00 and 08:00 UTC are 08:00, 12:00 and 16:00 there; 12:00, 16:00 and 20:00 UTC are evening and night.
  expect(times(slots, '2026-03-01T00:30:00Z', 4)).toEqual(['2026-03-01T04:00', '2026-03-01T08:00', '2026-03-02T01:00', '2026-03-02T04:00']);
});

test('active hours may run over midnight', () => {
  const slots = beatSlots({ cron: '0 * * * *', activeHours: { from: '22:00', to: '02:00' } });
  expect(times(slots, '2026-03-01T20:00:00Z', 5)).toEqual([
    '2026-03-01T22:00',
    '2026-03-01T23:00',
    '2026-03-02T00:00',
    '2026-03-02T01:00',
    '2026-03-02T22:00',
  ]);
});

test('active hours that a change of clocks leaves out have no beat that day', () => {
  const berlin = beatSlots({ cron: '0 12 * * *', timeZone: 'Europe/Berlin', activeHours: { from: '02:00', to: '03:00' } });
  expect(times(berlin, '2026-03-26T12:00:00Z', 3)).toEqual(['2026-03-28T01:00', '2026-03-30T00:00', '2026-03-31T00:00']);
  const paulo = beatSlots({ everyMs: 900_000, timeZone: 'America/Sao_Paulo', activeHours: { from: '00:00', to: '01:00' } });
  expect(times(paulo, '2018-11-03T12:00:00Z', 1)).toEqual(['2018-11-05T02:00']);
  const half = beatSlots({ everyMs: 900_000, timeZone: 'Europe/Berlin', activeHours: { from: '02:30', to: '03:15' } });
  expect(times(half, '2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T01:00', '2026-03-30T00:30']);
});

test('active hours may end at midnight, written either way', () => {
  for (const to of ['24:00', '00:00']) {
    const slots = beatSlots({ cron: '0 */6 * * *', activeHours: { from: '12:00', to } });
    expect(times(slots, '2026-03-01T13:00:00Z', 3)).toEqual(['2026-03-01T18:00', '2026-03-02T12:00', '2026-03-02T18:00']);
  }
  const whole = beatSlots({ cron: '0 */12 * * *', activeHours: { from: '00:00', to: '24:00' } });
  expect(times(whole, '2026-03-01T01:00:00Z', 3)).toEqual(['2026-03-01T12:00', '2026-03-02T00:00', '2026-03-02T12:00']);
});

test.each([
  [{}, 'schedule'],
  [{ everyMs: 1, cron: '* * * * *' }, 'schedule'],
  [{ everyMs: 0 }, 'everyMs'],
  [{ everyMs: -5 }, 'everyMs'],
  [{ everyMs: Number.NaN }, 'everyMs'],
  [{ everyMs: Number.POSITIVE_INFINITY }, 'everyMs'],
  [{ cron: 'whenever' }, 'cron'],
  [{ cron: '61 * * * *' }, 'cron'],
  [{ cron: '2030-01-01T09:00:00Z' }, 'cron'],
  [{ cron: '0 9 * * *', timeZone: 'Mars/Base' }, 'timeZone'],
  [{ everyMs: 1_000, activeHours: '9-17h' as never }, 'activeHours.from'],
  [{ everyMs: 1_000, activeHours: { from: '9', to: '17:00' } }, 'activeHours.from'],
  [{ everyMs: 1_000, activeHours: { from: '09:00', to: '25:00' } }, 'activeHours.to'],
  [{ everyMs: 1_000, activeHours: { from: '09:00', to: '24:01' } }, 'activeHours.to'],
  [{ everyMs: 1_000, activeHours: { from: '24:00', to: '09:00' } }, 'activeHours.from'],
  [{ everyMs: 1_000, activeHours: { from: '09:00', to: '09:00' } }, 'activeHours'],
])('%j is refused', (config, field) => {
  expect(() => beatSlots(config)).toThrow(expect.objectContaining({ code: 'heartbeat_config_invalid', field }));
});
