import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sqliteStore } from '@x/store/sqlite';
import { createRandom } from '@x/testkit';
import { missingSqlite } from './lib/has-sqlite.mjs';

const worker = fileURLToPath(new URL('./lib/kill-worker.mjs', import.meta.url));
const scope = { persona: 'tutor', user: 'anna', session: 's' };

/** Kills a SQLite-backed GMI at random moments of a scripted session and looks at what stands in the file. */
export default async function ({ short, log }) {
  const missing = await missingSqlite();
  if (missing) return { skip: missing };
  const kills = short ? 6 : 300;
  const turns = short ? 40 : 200;
  const folder = mkdtempSync(join(tmpdir(), 'x-kill-nine-'));
  const random = createRandom(20_261_129);
  try {
    const calm = join(folder, 'calm.sqlite');
    await run(calm, turns, 0, undefined);
    const expected = await look(calm);
    let [lost, doubled, half, wrongState, stuck, killed] = [0, 0, 0, 0, 0, 0];
    for (let session = 0; killed < kills; session += 1) {
      const path = join(folder, `s${session}.sqlite`);
      const acknowledged = new Set();
      let done = false;
      for (let restart = 0; !done && restart < 60; restart += 1) {
        const killAfter = killed < kills ? Math.floor(random() * 12) : undefined;
        done = await run(path, turns, 0, killAfter, acknowledged, random);
        if (!done) killed += 1;
      }
      if (!done) stuck += 1;
      const seen = await look(path);
      lost += [...acknowledged].filter((id) => !seen.turns.has(id)).length;
      doubled += [...seen.turns.values()].filter((count) => count !== 1).length;
      half += seen.unanswered;
      if (done && seen.hash !== expected.hash) wrongState += 1;
      log(`${killed} kills, session ${session}: ${seen.turns.size} turns`);
      rmSync(path, { force: true });
    }
    const none = (claim, count) => ({ claim, figure: `${count} after ${killed} kills`, limit: '0', pass: count === 0 });
    return [
      none('No acknowledged turn is lost when the process is killed', lost),
      none('No turn stands twice', doubled),
      none('No turn stands half: every message has its answer', half),
      none('The state at the end is the state without a crash', wrongState),
      none('After every kill the session goes on', stuck),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Resolves to true when the session came to its end, false when it was killed first.
function run(path, turns, delayMs, killAfter, acknowledged = new Set(), random = Math.random) {
  return new Promise((resolve, reject) => {
    const child = fork(worker, [path, String(turns), String(delayMs)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    let seen = 0;
    let done = false;
    child.on('message', (message) => {
      if (message.done) done = true;
      if (message.acknowledged) {
        acknowledged.add(message.acknowledged);
        seen += 1;
        // Within the next turn, at a moment that chance picks.
        if (seen === killAfter) setTimeout(() => child.kill('SIGKILL'), random() * 8);
      }
      if (message.ready !== undefined && killAfter === 0) setTimeout(() => child.kill('SIGKILL'), random() * 20);
    });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      done || signal === 'SIGKILL' ? resolve(done) : reject(new Error(`the worker ended with ${code}`)),
    );
  });
}

async function look(path) {
  const store = sqliteStore({ path });
  const lane = await store.open(scope);
  const { state, history } = await lane.load('main', { original: true });
  await store.close();
  const turns = new Map();
  let unanswered = 0;
  history.forEach((message, index) => {
    if (message.origin !== 'user') return;
    turns.set(message.id, (turns.get(message.id) ?? 0) + 1);
    if (history[index + 1]?.origin !== 'assistant') unanswered += 1;
  });
  return {
    turns,
    unanswered,
    hash: createHash('sha256')
      .update(JSON.stringify(sorted(state)))
      .digest('hex'),
  };
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
