/** Writers are killed at random moments; the file is never torn or empty, and no acknowledged entry is missing. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from './lib/random.mjs';
import { startWriter } from './lib/start-writer.mjs';

/** Trials that share a directory, so that each begins with what the last one's dead writers left behind. */
const TRIALS_PER_DIR = 25;

export default async function ({ short, log }) {
  const trials = short ? 20 : 500;
  const random = seeded(7);
  let [torn, empty, acknowledged, missing, idle] = [0, 0, 0, 0, 0];
  let dir = '';
  let promised = new Set();
  const started = performance.now();
  const prepare = (trial) =>
    ['a', 'b'].map((side) => startWriter({ dir, name: `${trial}${side}`, count: 100_000, atOnce: 1 + (trial % 7), maxBytes: 50_000_000 }));
  let next = [];
  for (let trial = 0; trial < trials; trial += 1) {
    if (trial % TRIALS_PER_DIR === 0) {
      if (dir !== '') rmSync(dir, { recursive: true, force: true });
      dir = mkdtempSync(join(tmpdir(), 'persona-proof-'));
      promised = new Set();
      next = prepare(trial);
    }
    const writers = await Promise.all(next);
    // The next pair starts while this one is killed; it waits, and writes only when told to.
    next = (trial + 1) % TRIALS_PER_DIR === 0 || trial + 1 === trials ? [] : prepare(trial + 1);
    for (const { go } of writers) go(0);
    await new Promise((resolve) => setTimeout(resolve, 5 + random.next() * 90));
    writers[0].child.kill('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, random.next() * 20));
    writers[1].child.kill('SIGKILL');
    await Promise.all(writers.map(({ closed }) => closed));
    const before = acknowledged;
    for (const { name, acknowledged: indexes } of writers) {
      acknowledged += indexes.length;
      for (const index of indexes) promised.add(`- fact ${name}-${index} of the trial`);
    }
    if (acknowledged === before) idle += 1;
    const text = readdirSync(dir).includes('MEMORY.md') ? readFileSync(join(dir, 'MEMORY.md'), 'utf8') : '';
    const lines = text.split('\n');
    if (text === '' && promised.size > 0) empty += 1;
    if (text !== '' && (lines.pop() !== '' || lines.some((line) => !/^- fact \d+[ab]-\d+ of the trial$/.test(line)))) torn += 1;
    const present = new Set(lines);
    for (const entry of promised) if (!present.has(entry)) missing += 1;
    if (trial % 50 === 49) log(`${trial + 1} kills, ${acknowledged} entries acknowledged`);
  }
  rmSync(dir, { recursive: true, force: true });
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  return [
    {
      claim: `${trials} random moments, two writers killed with signal 9 at each: no file is torn or empty`,
      figure: `${torn} torn, ${empty} empty`,
      limit: '0 and 0',
      pass: torn + empty === 0,
    },
    {
      claim: 'Nothing acknowledged is lost',
      figure: `${missing} of ${acknowledged} (${idle} moments came before the first acknowledgement); ${seconds} s`,
      limit: '0',
      pass: missing === 0 && acknowledged > trials,
    },
  ];
}
