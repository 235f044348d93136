import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AgentOS } from '@x/agentos';
import { sqliteStore } from '@x/store/sqlite';
import { createScriptedModel } from '@x/testkit';
import { missingSqlite } from './lib/has-sqlite.mjs';
import { messageOf, tutor } from './lib/personas.mjs';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const model = createScriptedModel(() => 'Yes.', { record: false });

/** Memory of agents that wait, and of a process that talks for very long. */
export default async function ({ short, log }) {
  const idle = await manyIdle(short ? 500 : 10_000, short, log);
  const missing = await missingSqlite();
  return missing ? [idle, { claim: 'A soak on SQLite', figure: missing, limit: 'run', pass: short }] : [idle, await soak(short, log)];
}

async function manyIdle(count, short, log) {
  const agentos = await AgentOS.create({ personas: [tutor], model, features: { metapromptMode: 'local' } });
  const start = used();
  for (let user = 0; user < count; user += 1) {
    for await (const _ of agentos.processRequest({ userId: `u${user}`, sessionId: 's', textInput: 'Hello' }));
    if (user % 2_000 === 0) log(`${user} agents`);
  }
  await new Promise(setImmediate);
  const grown = used() - start;
  await agentos.shutdown();
  // A short run pays the program's own warm-up with few agents; only the whole one has the true limit.
  const limit = short ? 100 : 150;
  return {
    claim: `${count.toLocaleString('en')} idle agents of one turn each, store included, fit into memory`,
    figure: `${grown.toFixed(1)} MB of heap, ${((grown * 1e6) / count).toFixed(0)} bytes each`,
    limit: `at most ${limit} MB`,
    pass: grown <= limit,
  };
}

/** The store is a file here, so that whatever grows in memory is a leak. Sessions fold, end and begin as in a busy service. */
async function soak(short, log) {
  const turns = short ? 1_000 : 100_000;
  const folder = mkdtempSync(join(tmpdir(), 'x-soak-'));
  const store = sqliteStore({ path: join(folder, 'lanes.sqlite'), durability: 'normal' });
  const agentos = await AgentOS.create({
    personas: [tutor],
    model,
    store,
    maxAwake: 100,
    features: { metapromptMode: 'local', compaction: { maxTokens: 2_000, summarize: () => 'They talked about functions.' } },
  });
  const marks = [];
  try {
    for (let turn = 0; turn < turns; turn += 1) {
      const request = { userId: `u${turn % 200}`, sessionId: `s${Math.floor(turn / (turns / 4))}`, textInput: messageOf(turn) };
      for await (const _ of agentos.processRequest(request));
      if ((turn + 1) % (turns / 10) === 0) marks.push(used());
      if (turn % 10_000 === 0) log(`${turn} turns, ${used().toFixed(1)} MB`);
    }
  } finally {
    await agentos.shutdown();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const grown = marks.at(-1) - marks[Math.floor(marks.length / 2) - 1];
  return {
    claim: `Over ${turns.toLocaleString('en')} turns of 800 sessions on SQLite memory stays flat`,
    figure: `heap after each tenth: ${marks.map((mb) => mb.toFixed(1)).join(', ')} MB; ${grown >= 0 ? '+' : ''}${grown.toFixed(1)} MB over the second half`,
    limit: 'at most 5 MB more after the second half than after the first',
    pass: grown <= 5,
  };
}

function used() {
  collect();
  collect();
  return process.memoryUsage().heapUsed / 1e6;
}
