/** Eight processes write into one memory file at once; nothing is lost and nobody waits twice as long as another. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWriter } from './lib/start-writer.mjs';

const PROCESSES = 8;

export default async function ({ short, log }) {
  const each = short ? 125 : 1_250;
  const all = PROCESSES * each;
  const dir = mkdtempSync(join(tmpdir(), 'persona-proof-'));
  try {
    const names = Array.from({ length: PROCESSES }, (_, index) => `p${index}`);
    const writers = await Promise.all(names.map((name) => startWriter({ dir, name, count: each, atOnce: each, maxBytes: 10_000_000 })));
    log(`${PROCESSES} processes × ${each} adds`);
    const startAtMs = Date.now() + 200;
    for (const { go } of writers) go(startAtMs);
    await Promise.all(writers.map(({ closed }) => closed));
    const ends = writers.map(({ report }) => (report()?.doneAtMs ?? Number.NaN) - startAtMs).sort((a, b) => a - b);
    const times = writers.flatMap(({ report }) => report()?.times ?? []).sort((a, b) => a - b);
    const wanted = new Set(names.flatMap((name) => Array.from({ length: each }, (_, index) => `- fact ${name}-${index} of the trial`)));
    const lines = readFileSync(join(dir, 'MEMORY.md'), 'utf8').trimEnd().split('\n');
    const kept = new Set(lines.filter((line) => wanted.has(line))).size;
    const p99 = times[Math.floor(times.length * 0.99)];
    const [first, last] = [ends[0], ends.at(-1)];
    return [
      {
        claim: `${PROCESSES} processes × ${each} adds at once: every entry stands in one readable file`,
        figure: `${kept} of ${all}, ${lines.length} lines`,
        limit: `${all} of ${all}`,
        pass: kept === all && lines.length === all,
      },
      {
        claim: 'Wall time and the 99th percentile of one add are told',
        figure: `${last} ms in all, p99 ${p99.toFixed(0)} ms, median ${times[Math.floor(times.length / 2)].toFixed(0)} ms`,
        limit: 'under 60,000 ms',
        pass: last < 60_000,
      },
      {
        claim: 'The last process ends within twice the time of the first',
        figure: `${first} ms and ${last} ms: ${(last / first).toFixed(2)}×`,
        limit: 'at most 2×',
        pass: last <= 2 * first,
      },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
