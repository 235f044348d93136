// How fast a session of ten thousand turns wakes: from a store that was just opened to the first byte of the request.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '@x/core';
import { openLane } from '@x/runtime';
import { createScriptedModel } from '@x/testkit';

const scope = { persona: 'tutor', user: 'ada', session: 'long' };
const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

/** Writes the turns as commits of a hundred each, straight into the store. */
async function fill(store, turns) {
  const lane = await store.open(scope);
  let { revision } = await lane.load('main');
  for (let from = 0; from < turns; from += 100) {
    const append = [];
    for (let turn = from; turn < Math.min(turns, from + 100); turn += 1) {
      append.push({
        id: `u${turn}`,
        role: 'user',
        origin: 'user',
        content: `Question ${turn}: how does step ${turn % 17} of the recursion work?`,
      });
      append.push({
        id: `a${turn}`,
        role: 'assistant',
        origin: 'assistant',
        content: `Step ${turn % 17} calls itself with a smaller list and adds the head. `.repeat(2),
      });
    }
    const change = { revision, turn: `fill-${from}`, operations: [], events: [], batches: { add: [], done: [] } };
    const { revision: next } = await lane.commit({ ...change, conversation: { id: 'main', append, blocks: [], stableHash: '' } });
    revision = next;
  }
}

/** One wake: opens the lane, begins a turn, and stops the watch when the model is asked. */
async function wake(store) {
  let asked;
  const reached = new Promise((resolve) => {
    asked = resolve;
  });
  const inner = createScriptedModel(() => ({ text: '', hang: true }), { record: false });
  const model = {
    ...inner,
    stream(request, options) {
      const body = JSON.stringify({ model: inner.modelId, messages: request.messages, stream: true });
      asked(body.length);
      return inner.stream(request, options);
    },
  };
  const start = performance.now();
  const lane = await openLane({ store, scope });
  const session = lane.session({ model, stable: { system: 'You are a patient tutor.' } });
  const abort = new AbortController();
  const turn = session.ask({ content: 'And the last step?', signal: abort.signal }).catch(() => undefined);
  const bytes = await reached;
  const ms = performance.now() - start;
  abort.abort(new Error('measured'));
  await turn;
  await lane.close();
  return { ms, bytes };
}

async function sqlite(path) {
  try {
    const { sqliteStore } = await import('@x/store/sqlite');
    const store = sqliteStore({ path });
    await store.open(scope);
    return store;
  } catch (error) {
    return error;
  }
}

export default async function ({ short, log }) {
  const turns = short ? 1000 : 10_000;
  const tries = short ? 10 : 300;
  const folder = mkdtempSync(join(tmpdir(), 'session-wake-'));
  const path = join(folder, 'agents.db');
  const claims = [];
  const measure = async (name, open) => {
    const times = [];
    let bytes = 0;
    for (let round = 0; round < tries; round += 1) {
      const store = await open();
      const woke = await wake(store);
      await store.close?.();
      times.push(woke.ms);
      ({ bytes } = woke);
    }
    const p99 = quantile(times, 0.99);
    log(`${name}: p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
    claims.push({
      claim: `A session of ${turns} turns in ${name} wakes within 100 ms (p99): from the open store to the first byte of the request`,
      figure: `p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, N = ${tries}, ${(bytes / 1e6).toFixed(1)} MB of request`,
      limit: 'at most 100 ms',
      pass: p99 <= 100 && bytes > turns * 100,
    });
  };
  try {
    const memory = createMemoryStore();
    await fill(memory, turns);
    await measure('memory', () => memory);
    const file = await sqlite(path);
    if (file instanceof Error) {
      claims.push({
        claim: 'A session in a SQLite file wakes within 100 ms',
        figure: `no driver here: ${file.message}`,
        limit: 'at most 100 ms',
        pass: short,
      });
      return claims;
    }
    await fill(file, turns);
    await file.close();
    const { sqliteStore } = await import('@x/store/sqlite');
    await measure('a SQLite file', () => sqliteStore({ path }));
    return claims;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
