import { decayDelta } from '@x/hexaco';
import { createRandom } from '@x/testkit';

const DAY_MS = 86_400_000;

export default async function decay() {
  const left = (days) => decayDelta(0.1, days * DAY_MS);
  const pinned = { 0: 0.1, 1: 0.1 * 2 ** (-1 / 14), 14: 0.05, 28: 0.025 };
  const off = Math.max(...Object.entries(pinned).map(([days, value]) => Math.abs(left(Number(days)) - value)));
  const random = createRandom(20260305);
  let worst = 0;
  for (let trial = 0; trial < 100_000; trial += 1) {
    const [first, second] = [random() * 60 * DAY_MS, random() * 60 * DAY_MS];
    const delta = random() * 2 - 1;
    worst = Math.max(worst, Math.abs(decayDelta(decayDelta(delta, first), second) - decayDelta(delta, first + second)));
  }
  return [
    {
      claim: 'A change of 0.1 fades to what delta * 2^(-days / 14) says',
      figure: Object.keys(pinned)
        .map((days) => `day ${days}: ${left(Number(days)).toFixed(6)}`)
        .join(', '),
      limit: 'to 1e-15',
      pass: off <= 1e-15,
    },
    {
      claim: 'Two short waits equal one long wait',
      figure: `largest difference ${worst.toExponential(1)} in 100,000 random pairs`,
      limit: 'at most 1e-15',
      pass: worst <= 1e-15,
    },
  ];
}
