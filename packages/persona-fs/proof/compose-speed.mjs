/** How long it takes to read the seven files and join them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BOOTSTRAP_ORDER, composeSoul } from '@x/persona-fs';

export default async function ({ short }) {
  const dir = mkdtempSync(join(tmpdir(), 'persona-proof-'));
  try {
    for (const name of BOOTSTRAP_ORDER) {
      const lines = name === 'MEMORY.md' ? 1_000 : 60;
      writeFileSync(
        join(dir, name),
        Array.from({ length: lines }, (_, index) => `- line ${index} of ${name}, as long as people write them`).join('\n'),
      );
    }
    writeFileSync(join(dir, 'SOUL.md'), `---\nname: Ava\nhexaco: {honestyHumility: 0.8}\n---\n${'She is kind. '.repeat(400)}`);
    let from = performance.now();
    const { soul, found } = composeSoul(dir);
    const first = performance.now() - from;
    const before = process.cpuUsage();
    const times = Array.from({ length: short ? 100 : 2_000 }, () => {
      from = performance.now();
      composeSoul(dir);
      return performance.now() - from;
    }).sort((a, b) => a - b);
    const used = process.cpuUsage(before);
    const cpu = (used.user + used.system) / 1_000 / times.length;
    const [median, p99] = [times[Math.floor(times.length / 2)], times[Math.floor(times.length * 0.99)]];
    return [
      {
        claim: `Seven files (${found.length} found, ${(Buffer.byteLength(soul) / 1_024).toFixed(0)} KiB) compose in a moment`,
        figure: `median ${median.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, processor time ${cpu.toFixed(2)} ms, the first of a process ${first.toFixed(2)} ms`,
        limit: 'median at most 5 ms',
        pass: found.length === 7 && median <= 5,
      },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
