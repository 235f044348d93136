import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVirtualClock } from './create-virtual-clock.js';

test('however time is cut into moves, every timer fires once, at its moment, in order', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(40), { maxLength: 12 }),
      fc.array(fc.nat(15), { minLength: 1, maxLength: 6 }),
      async (delays, moves) => {
        const clock = createVirtualClock(0);
        const fired: (readonly [timer: number, atMs: number])[] = [];
        for (const [timer, ms] of delays.entries()) clock.setTimeout(() => void fired.push([timer, clock.now()]), ms);
        for (const ms of moves) await clock.advance(ms);
        const total = moves.reduce((sum, ms) => sum + ms, 0);
        const due = delays.map((ms, timer) => [timer, ms] as const).filter(([, ms]) => ms <= total);
        expect(fired).toEqual(due.sort((a, b) => a[1] - b[1] || a[0] - b[0]));
        expect([clock.now(), clock.pending]).toEqual([total, delays.length - due.length]);
      },
    ),
    { numRuns: 40 },
  ));
