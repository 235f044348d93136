import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createMemoryStore } from '@x/core';
import { loadBetterSqlite, sqliteStore } from '@x/store/sqlite';

const SCOPE = { persona: 'ava', user: 'anna', session: 'long' };

const at = (list, share) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))];

/** Adds turns as a persona makes them: two messages, counters, a state note every third turn. @returns Milliseconds per commit. */
async function talk(lane, turns) {
  const times = [];
  let { revision, blocks } = await lane.load('main');
  for (const end = revision + turns; revision < end; ) {
    const n = revision;
    const user = { id: `u${n}`, role: 'user', content: `Question ${n}: ${'how does this work '.repeat(8)}`, origin: 'user' };
    const reply = { id: `a${n}`, role: 'assistant', content: `Answer ${n}: ${'it works like this '.repeat(16)}`, origin: 'assistant' };
    if (n % 3 === 0) blocks = [...blocks, { before: user.id, part: 'state', text: `Mood: curious (${n}). ${'Be brief. '.repeat(8)}` }];
    const log = (key, value) => ({
      id: `${key}-${n}`,
      operation: { put: key, value },
      by: 'runtime',
      why: 'a turn',
      from: null,
      to: value,
      turn: `t${n}`,
      atMs: n,
    });
    const recent = Array.from({ length: 20 }, (_, index) => ({ turn: n - index, score: -0.2, evidence: 'lexicon' }));
    const commit = {
      revision,
      turn: `t${n}`,
      operations: [
        log('gmi_turn_count', n),
        log('gmi_last_turn_at_ms', n),
        log('metaprompt_turn_counter_x', n),
        log('gmi_sentiment_history', recent),
      ],
      events: [],
      batches: { add: [], done: [] },
      conversation: { id: 'main', append: [user, reply], blocks, stableHash: 'h' },
    };
    const start = performance.now();
    ({ revision } = await lane.commit(commit));
    times.push(performance.now() - start);
  }
  return times;
}

/** What a commit costs in a session of 1,000 turns, and waking one of 10,000. */
export default async function ({ short, log }) {
  try {
    await loadBetterSqlite();
  } catch {
    return { skip: 'better-sqlite3 is not compiled here: npm run build:sqlite' };
  }
  const directory = mkdtempSync(join(tmpdir(), 'x-speed-'));
  const [turns, length, wakes] = short ? [300, 2000, 30] : [2000, 10_000, 200];
  const rows = [];
  try {
    for (const durability of ['full', 'normal']) {
      const store = sqliteStore({ path: join(directory, `${durability}.db`), durability });
      const lane = await store.open(SCOPE);
      await talk(lane, 1000);
      const times = await talk(lane, turns);
      const p99 = at(times, 0.99);
      rows.push({
        claim: `A commit in a session of 1,000 turns and more on SQLite, durability ${durability}`,
        figure: `p50 ${at(times, 0.5).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
        limit: 'p99 at most 3 ms',
        pass: p99 <= 3,
      });
      await store.close();
    }
    const memory = await createMemoryStore().open(SCOPE);
    await talk(memory, 1000);
    const inMemory = await talk(memory, turns);
    log(`in memory: p50 ${at(inMemory, 0.5).toFixed(2)} ms, p99 ${at(inMemory, 0.99).toFixed(2)} ms`);
    const path = join(directory, 'long.db');
    const store = sqliteStore({ path, durability: 'normal' });
    await talk(await store.open(SCOPE), length);
    await store.close();
    const times = [];
    for (let wake = 0; wake < wakes; wake += 1) {
      const start = performance.now();
      const again = sqliteStore({ path });
      const { history } = await (await again.open(SCOPE)).load('main');
      times.push(performance.now() - start);
      await again.close();
      if (history.length !== 2 * length) throw new Error('the session was not whole');
    }
    const p99 = at(times, 0.99);
    rows.push({
      claim: `Opening the file and loading a session of ${length} turns`,
      figure: `p50 ${at(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      limit: 'p99 at most 100 ms',
      pass: p99 <= 100,
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return rows;
}
