import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentOS, createMemoryStore, GMI } from '@x/agentos';
import { sqliteStore } from '@x/store/sqlite';
import { missingSqlite } from './lib/has-sqlite.mjs';
import { messageOf, percentile, tutor } from './lib/personas.mjs';

const SESSIONS = 10;

/** What a turn costs beside the model: from the call to the result, with a model that answers at once. */
export default async function ({ short, log }) {
  const missing = await missingSqlite();
  if (missing) return { skip: missing };
  const measured = short ? 100 : 1_000;
  const long = short ? 50 : 1_000;
  const folder = mkdtempSync(join(tmpdir(), 'x-overhead-'));
  const sqlite = sqliteStore({ path: join(folder, 'lane.sqlite'), durability: 'normal' });
  try {
    const talks = await timeTalks(createMemoryStore(), measured);
    const memory = await timeLongTalks(createMemoryStore(), long, measured);
    const disk = await timeLongTalks(sqlite, long, measured);
    return [
      row('in memory costs at most 1 ms beside the model, in sessions of 100 turns', talks, 1),
      row(`in memory costs at most 3 ms beside the model, in sessions of ${long.toLocaleString('en')} turns`, memory, 3),
      row(`on SQLite costs at most 3 ms beside the model, in sessions of ${long.toLocaleString('en')} turns`, disk, 3),
    ];
  } finally {
    await sqlite.close();
    rmSync(folder, { recursive: true, force: true });
  }

  function row(what, times, limitMs) {
    const p99 = percentile(times, 0.99);
    const figure = `p50 ${percentile(times, 0.5).toFixed(3)} ms, p99 ${p99.toFixed(3)} ms over ${times.length} turns`;
    log(`${what}: ${figure}`);
    return { claim: `An adaptive turn ${what}, at p99`, figure, limit: `p99 at most ${limitMs} ms`, pass: p99 <= limitMs };
  }
}

/** Sessions of 100 turns one after the other, of one user of a service. Several times as many before them, until V8 has compiled what it will. */
async function timeTalks(store, measured) {
  const agentos = await AgentOS.create({ personas: [tutor], model, store, features: { metapromptMode: 'local' } });
  const times = [];
  const warmUp = 5 * measured;
  for (let turns = 0; turns < warmUp + measured; turns += 100) {
    const talk = await timeTurns(agentos.gmi({ userId: 'ada', sessionId: `s${turns}` }), 100);
    if (turns >= warmUp) times.push(...talk);
  }
  await agentos.shutdown();
  return times;
}

/** The next turns of ten sessions that have so many turns each; the first of all warms the code up. */
async function timeLongTalks(store, before, measured) {
  const times = [];
  for (let talk = 0; talk <= SESSIONS; talk += 1) {
    const gmi = open(store, `long${talk}`);
    await timeTurns(gmi, before);
    const next = await timeTurns(gmi, measured / SESSIONS);
    if (talk > 0) times.push(...next);
    await gmi.shutdown();
  }
  return times;
}

function open(store, session) {
  return new GMI({ persona: tutor, model, store, scope: { persona: tutor.id, user: 'ada', session }, metapromptMode: 'local' });
}

// Answers at once and without work of its own, which would be taken for the turn's. Like the clients of `@x/openai` it
// keeps no request.
const model = {
  providerId: 'proof',
  modelId: 'at-once',
  borrows: true,
  capabilities: { lateNote: 'fenced-user', mergeUserRuns: false, structuredOutput: false },
  async *stream() {
    yield ANSWER;
    yield END;
  },
};
const ANSWER = { type: 'text-delta', text: 'Yes.' };
const END = { type: 'model-end', finish: 'stop', usage: { inputTokens: 100, outputTokens: 2, cachedTokens: 0 } };

async function timeTurns(gmi, count) {
  const times = [];
  for (let turn = 0; turn < count; turn += 1) {
    const start = performance.now();
    await gmi.processTurn(messageOf(turn));
    times.push(performance.now() - start);
    if (turn % 16 === 0) await gmi.drain();
  }
  return times;
}
