import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, GMI } from '@x/agentos';
import { sqliteStore } from '@x/store/sqlite';
import { createScriptedModel } from '@x/testkit';
import { missingSqlite } from './lib/has-sqlite.mjs';
import { messageOf, percentile, tutor } from './lib/personas.mjs';

/** What a turn costs beside the model: from the call to the result, with a model that answers at once. */
export default async function ({ short, log }) {
  const missing = await missingSqlite();
  if (missing) return { skip: missing };
  const [before, measured] = short ? [50, 100] : [1_000, 1_000];
  const folder = mkdtempSync(join(tmpdir(), 'x-overhead-'));
  const sqlite = sqliteStore({ path: join(folder, 'lane.sqlite'), durability: 'normal' });
  try {
    const memory = await timeTurns(createMemoryStore(), before, measured);
    log(`memory: p50 ${percentile(memory, 0.5).toFixed(3)} ms`);
    const disk = await timeTurns(sqlite, before, measured);
    const figure = (times) =>
      `p50 ${percentile(times, 0.5).toFixed(3)} ms, p99 ${percentile(times, 0.99).toFixed(3)} ms over ${measured} turns after ${before}`;
    return [
      {
        claim: 'An adaptive turn in memory costs at most 1 ms beside the model, at p99',
        figure: figure(memory),
        limit: 'p99 at most 1 ms',
        pass: percentile(memory, 0.99) <= 1,
      },
      {
        claim: 'An adaptive turn on SQLite costs at most 3 ms beside the model, at p99, in a session of 1,000 turns',
        figure: figure(disk),
        limit: 'p99 at most 3 ms',
        pass: percentile(disk, 0.99) <= 3,
      },
    ];
  } finally {
    await sqlite.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timeTurns(store, before, measured) {
  // The usage is given: without it the scripted model would count every request, which is its work and not the turn's.
  const model = createScriptedModel(() => ({ text: 'Yes.', usage: { inputTokens: 100, outputTokens: 2 } }), { record: false });
  const gmi = new GMI({ persona: tutor, model, store, metapromptMode: 'local' });
  const times = [];
  for (let turn = 0; turn < before + measured; turn += 1) {
    const start = performance.now();
    await gmi.processTurn(messageOf(turn));
    if (turn >= before) times.push(performance.now() - start);
    if (turn % 16 === 0) await gmi.drain();
  }
  await gmi.shutdown();
  return times;
}
