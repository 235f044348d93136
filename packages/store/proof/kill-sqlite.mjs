import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { loadBetterSqlite } from '@x/store/sqlite';
import { expected } from './lib/scripted-session.mjs';

const TURNS = 200;
const writer = fileURLToPath(new URL('./lib/sqlite-writer.mjs', import.meta.url));

/** Starts the writer on a file and kills it after a while. */
function run(path, delayMs) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [writer, path, String(TURNS)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let found;
    let acknowledged = 0;
    let timer;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (found === undefined) {
        found = JSON.parse(line);
        // From the first commits on; sometimes at once, before any.
        timer = setTimeout(() => child.kill('SIGKILL'), delayMs);
      } else acknowledged = Number(line);
    });
    child.once('error', fail);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (signal !== 'SIGKILL' && code !== 0) fail(new Error(`the writer ended with ${code}`));
      else done({ found, acknowledged, killed: signal === 'SIGKILL' });
    });
  });
}

/** A scripted 200-turn session on SQLite, killed again and again: what was acknowledged is there, once and whole. */
export default async function ({ short, log }) {
  try {
    await loadBetterSqlite();
  } catch {
    return { skip: 'better-sqlite3 is not compiled here: npm run build:sqlite' };
  }
  const wanted = short ? 20 : 300;
  const states = await expected(TURNS);
  const directory = mkdtempSync(join(tmpdir(), 'x-kill-'));
  let kills = 0;
  let sessions = 0;
  let lost = 0;
  let torn = 0;
  let inFlight = 0;
  try {
    while (kills < wanted) {
      const path = join(directory, `session-${sessions}.db`);
      let acknowledged = 0;
      for (let finished = false; !finished; ) {
        const result = await run(path, kills < wanted ? Math.random() * 90 : 600_000);
        const { found } = result;
        if (found !== undefined) {
          if (found.revision < acknowledged) lost += acknowledged - found.revision;
          if (found.revision > acknowledged) inFlight += 1;
          const state = states[found.revision];
          if (JSON.stringify(found) !== JSON.stringify(state)) torn += 1;
        }
        acknowledged = Math.max(acknowledged, found?.revision ?? 0, result.acknowledged);
        if (result.killed) kills += 1;
        if (kills % 50 === 0) log(`${kills} kills, ${sessions} sessions to their end`);
        finished = !result.killed;
      }
      const { found } = await run(path, 600_000);
      if (JSON.stringify(found) !== JSON.stringify(states[TURNS])) torn += 1;
      sessions += 1;
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const what = `kill -9 at ${kills} random moments of ${sessions} sessions of ${TURNS} turns on SQLite`;
  return [
    { claim: `${what}: every acknowledged turn is there`, figure: `${lost} lost`, limit: '0', pass: lost === 0 && kills >= wanted },
    {
      claim:
        'After each kill transcript, state, notes, log and journal are those of whole turns, equal to the store in memory, and the session goes on',
      figure: `${torn} differ; ${inFlight} times the turn in flight was kept whole`,
      limit: '0',
      pass: torn === 0,
    },
  ];
}
