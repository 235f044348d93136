import { createHash } from 'node:crypto';
import { createMemoryStore } from '@x/core';
import { metapromptHook } from '@x/metaprompt';
import { openLane } from '@x/runtime';
import { createRandom, createScriptedModel } from '@x/testkit';
import { createMortal } from './lib/mortal-process.mjs';

const TURNS = 16;
const MOODS = ['neutral', 'focused', 'empathetic', 'curious', 'assertive', 'analytical', 'frustrated', 'creative'];
const SCOPE = { persona: 'p', user: 'u', session: 's' };
const template = 'metaprompt ID; mood={{current_mood}}; {{recent_conversation}}';
const entry = (id, trigger, extra = {}) => ({ id, promptTemplate: template.replace('ID', id), trigger, cooldownTurns: 0, ...extra });
const persona = {
  id: 'p',
  name: 'P',
  version: '1.0.0',
  baseSystemPrompt: '',
  metaPrompts: [
    entry('every_two', { type: 'turn_interval', intervalTurns: 2 }),
    entry('on_anger', { type: 'event_based', eventName: 'user_frustrated' }),
  ],
};

/** The reply follows from the prompt alone: the next mood, and a fact named after the newest message. */
function reply(request) {
  const prompt = String(request.messages[1].content);
  const id = /metaprompt (\w+);/.exec(prompt)[1];
  const mood = /mood=(\w+);/.exec(prompt)[1];
  const newest = [...prompt.matchAll(/message (\d+)/g)].at(-1)?.[1] ?? 'none';
  const next = MOODS[(MOODS.indexOf(mood) + (id === 'every_two' ? 1 : 3)) % MOODS.length];
  return JSON.stringify({ updatedGmiMood: next, newMemoryImprints: [{ key: `${id}_${mood}`, value: newest }] });
}

/** Runs the conversation to its end, reviving the process after its one death, and tells what the world looks like then. */
async function live(crashAt, { drainEach, seed }) {
  let nowMs = Date.UTC(2026, 0, 1);
  const clock = { now: () => nowMs, setTimeout: () => () => {} };
  const disk = createMemoryStore({ clock, random: createRandom(seed) });
  const calls = new Map();
  let mortal = createMortal(crashAt);
  let deaths = 0;
  let diedAt;
  let generation = 0;
  const start = async () => {
    const mine = mortal;
    generation += 1;
    const counted = createScriptedModel((request) => {
      const key = String(request.messages[1].content);
      calls.set(key, (calls.get(key) ?? 0) + 1);
      return reply(request);
    });
    const raiser = {
      name: 'raiser',
      beforeTurn(turn) {
        if (Number(turn.id.slice(5)) % 3 === 0) turn.raise({ eventType: 'user_frustrated', severity: 'medium', metadata: {} });
      },
    };
    const lane = await openLane({ store: mine.store(disk), scope: SCOPE, clock, random: createRandom(seed + generation) });
    return lane.session({
      model: mine.model(
        createScriptedModel(() => 'ok'),
        'main model',
      ),
      resolveModel: () => mine.model(counted, 'metaprompt model'),
      features: [raiser, mine.hook(metapromptHook({ persona, clock }))],
    });
  };
  let session;
  /** Does the work; when the process dies over it, starts another and does it again. */
  const surely = async (work) => {
    for (;;) {
      const attempt = (async () => {
        session ??= await start();
        await work(session);
        return 'done';
      })();
      const ended = await Promise.race([attempt, mortal.died.then((name) => ({ name }))]);
      if (ended === 'done') return;
      deaths += 1;
      diedAt = ended.name;
      mortal = createMortal();
      session = undefined;
    }
  };
  for (let turn = 1; turn <= TURNS; turn += 1) {
    nowMs += 60_000;
    await surely((running) => running.ask({ id: `turn-${turn}`, content: `message ${turn}` }));
    if (turn % drainEach === 0) await surely((running) => running.drain());
  }
  await surely((running) => running.drain());
  const lane = await disk.open(SCOPE);
  const { state, batches, events, history } = await lane.load('main');
  const applied = [];
  for await (const { operation, by, turn } of lane.operations()) {
    if (by === 'metaprompt' && ('set' in operation || 'imprint' in operation)) applied.push(JSON.stringify([turn, operation]));
  }
  // How many turns had passed when a reply came in is a matter of pace; with a drain after each turn it is fixed.
  const { gmi_mood_since: pace, gmi_metaprompt_usage: usage, ...values } = state.values;
  // The trace is evidence for a reflection and does not survive a crash, so tokens may differ; the number of calls may not.
  const used = { calls: usage?.calls, repairs: usage?.repairs };
  const kept = { ...state, values: { ...values, used, ...(drainEach === 1 && { pace }) } };
  return {
    hash: createHash('sha256')
      .update(canonical({ state: kept, events, turns: history.length }))
      .digest('hex'),
    applied,
    pending: batches.length,
    steps: mortal.steps,
    deaths,
    diedAt,
    calls: [...calls.values()].reduce((sum, count) => sum + count, 0),
    mostCallsOfOne: Math.max(...calls.values()),
  };
}

export default async function crashPoints({ short, log }) {
  const claims = [];
  for (const { name, drainEach } of [
    { name: 'one batch at a time', drainEach: 1 },
    { name: 'up to four turns of batches queued', drainEach: 4 },
  ]) {
    const seed = 20260301;
    const calm = await live(undefined, { drainEach, seed });
    const points = pick(calm.steps, short ? 30 : 200);
    log(`${name}: ${calm.steps} steps, ${calm.applied.length} changes, ${points.length} crash points`);
    const found = { lost: 0, twice: 0, order: 0, hash: 0, pending: 0, noDeath: 0, repeats: 0, mostRepeats: 0, mostCallsOfOne: 0 };
    const diedAt = new Set();
    for (const point of points) {
      const run = await live(point, { drainEach, seed });
      const seen = new Set(run.applied);
      if (calm.applied.some((change) => !seen.has(change))) found.lost += 1;
      if (seen.size !== run.applied.length) found.twice += 1;
      if (JSON.stringify(run.applied) !== JSON.stringify(calm.applied)) found.order += 1;
      if (run.hash !== calm.hash) found.hash += 1;
      if (run.pending > 0) found.pending += 1;
      if (run.deaths !== 1) found.noDeath += 1;
      const repeats = run.calls - calm.calls;
      found.repeats += repeats;
      found.mostRepeats = Math.max(found.mostRepeats, repeats);
      found.mostCallsOfOne = Math.max(found.mostCallsOfOne, run.mostCallsOfOne);
      diedAt.add(run.diedAt);
    }
    log(`${name}: died at: ${[...diedAt].sort().join(', ')}`);
    const where = `${points.length} of ${calm.steps} steps, ${name}`;
    const none = (claim, count, what) => ({ claim: `${claim} (${where})`, figure: `${count} ${what}`, limit: '0', pass: count === 0 });
    claims.push(
      none('No change of a metaprompt is lost when the process dies', found.lost, 'crash points that lost a change'),
      none('No change is applied twice', found.twice, 'crash points that applied a change twice'),
      none('No change is out of order', found.order, 'crash points with another sequence than the run without a crash'),
      none(
        'State (but for counted tokens), events and transcript length are those of the run without a crash',
        found.hash,
        'crash points with another hash',
      ),
      none('Nothing stays pending', found.pending, 'crash points with pending batches'),
      none('Each run died exactly once', found.noDeath, 'runs that did not'),
      {
        claim: `A call whose reply was not recorded is repeated at most once per crash (${where})`,
        figure: `${found.mostCallsOfOne} calls of one prompt at most; ${found.repeats} repeats in all, at most ${found.mostRepeats} in one crash (a batch of two)`,
        limit: 'each prompt asked at most twice',
        pass: found.mostCallsOfOne <= 2,
      },
    );
  }
  return claims;
}

/** `count` of the numbers 1 to `total`, evenly spread; all of them when there are fewer. */
function pick(total, count) {
  if (total <= count) return Array.from({ length: total }, (_, index) => index + 1);
  return Array.from({ length: count }, (_, index) => 1 + Math.floor((index * total) / count));
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join()}}`;
}
