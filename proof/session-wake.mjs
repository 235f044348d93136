// How fast a session of ten thousand turns wakes: from a store that was just opened to the first byte of the request. With all of its
// messages in the request, and as a persona keeps it: every adaptive surface on, and a summary for what was long ago.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GMI } from '@x/agentos';
import { createMemoryStore } from '@x/core';
import { openLane } from '@x/runtime';
import { createScriptedModel } from '@x/testkit';
import { tutor } from '../packages/agentos/proof/lib/personas.mjs';

const scope = { persona: 'tutor', user: 'ada', session: 'long' };
const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

const question = (turn) => `Question ${turn}: how does step ${turn % 17} of the recursion work?`;
const answer = (turn) => `Step ${turn % 17} calls itself with a smaller list and adds the head. `.repeat(2);

/** Writes the turns as commits of a hundred each, straight into the store. */
async function fill(store, turns) {
  const lane = await store.open(scope);
  let { revision } = await lane.load('main');
  for (let from = 0; from < turns; from += 100) {
    const append = [];
    for (let turn = from; turn < Math.min(turns, from + 100); turn += 1) {
      append.push({ id: `u${turn}`, role: 'user', origin: 'user', content: question(turn) });
      append.push({ id: `a${turn}`, role: 'assistant', origin: 'assistant', content: answer(turn) });
    }
    const change = { revision, turn: `fill-${from}`, operations: [], events: [], batches: { add: [], done: [] } };
    const { revision: next } = await lane.commit({ ...change, conversation: { id: 'main', append, blocks: [], stableHash: '' } });
    revision = next;
  }
}

/** A model that tells how long the request is when it is asked, and then says nothing. */
function watched(asked) {
  const inner = createScriptedModel(() => ({ text: '', hang: true }), { record: false });
  return {
    ...inner,
    stream(request, options) {
      const body = JSON.stringify({ model: inner.modelId, messages: request.messages, stream: true });
      asked(body.length);
      return inner.stream(request, options);
    },
  };
}

const COMPACTION = { maxTokens: 100_000, summarize: () => 'They went through the recursion step by step.' };
const personaOn = (store, model) => new GMI({ persona: tutor, model, store, scope, metapromptMode: 'local', compaction: COMPACTION });

/** Lives the turns, one after the other. */
async function live(store, turns) {
  let turn = 0;
  const gmi = personaOn(
    store,
    createScriptedModel(() => answer(turn), { record: false }),
  );
  for (; turn < turns; turn += 1) {
    await gmi.processTurn(question(turn));
    if (turn % 100 === 99) await gmi.drain();
  }
  await gmi.shutdown();
}

/** The trials share a process: what only one of them needs is gone when the next begins. */
async function inMemory(turns) {
  const memory = createMemoryStore();
  await fill(memory, turns);
  return () => memory;
}

/** Begins a turn with a model, and stops the watch when it is asked. */
async function untilAsked(begin) {
  let asked;
  const reached = new Promise((resolve) => {
    asked = resolve;
  });
  const abort = new AbortController();
  const start = performance.now();
  const { turn, end } = await begin(watched(asked), { content: 'And the last step?', signal: abort.signal });
  // A GMI's turn begins when somebody waits for it.
  const over = turn.then(undefined, () => undefined);
  const bytes = await reached;
  const ms = performance.now() - start;
  abort.abort(new Error('measured'));
  await over;
  await end();
  return { ms, bytes };
}

/** One wake of a persona. */
const wakePersona = (store) =>
  untilAsked((model, input) => {
    const gmi = personaOn(store, model);
    return { turn: gmi.processTurn(input), end: () => gmi.shutdown() };
  });

/** One wake: opens the lane and begins a turn. */
const wake = (store) =>
  untilAsked(async (model, input) => {
    const lane = await openLane({ store, scope });
    const session = lane.session({ model, stable: { system: 'You are a patient tutor.' } });
    return { turn: session.ask(input), end: () => lane.close() };
  });

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
  const measure = async (name, open, wakeOnce = wake, least = turns * 100) => {
    const times = [];
    let bytes = 0;
    for (let round = 0; round < tries; round += 1) {
      const store = await open();
      const woke = await wakeOnce(store);
      await store.close?.();
      times.push(woke.ms);
      ({ bytes } = woke);
    }
    const p99 = quantile(times, 0.99);
    log(`${name}: p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
    claims.push({
      claim: `A session of ${turns} turns in ${name} wakes within 100 ms (p99), from the open store to the first byte of the request`,
      figure: `p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, N = ${tries}, ${(bytes / 1e6).toFixed(1)} MB of request`,
      limit: 'at most 100 ms',
      pass: p99 <= 100 && bytes > least,
    });
  };
  try {
    await measure('memory', await inMemory(turns));
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
    const lived = join(folder, 'lived.db');
    const before = sqliteStore({ path: lived, durability: 'normal' });
    await live(before, turns);
    await before.close();
    await measure('a SQLite file, kept by a persona with compaction,', () => sqliteStore({ path: lived }), wakePersona, 1_000);
    return claims;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
