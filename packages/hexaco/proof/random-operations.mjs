import { createMemoryStore, logOperations } from '@x/core';
import {
  createAdaptPersonalityTool,
  currentTraits,
  decayTraits,
  driftHook,
  HEXACO_TRAITS,
  PersonalityMutationStore,
  parseTraits,
} from '@x/hexaco';
import { createRandom } from '@x/testkit';

const DAY_MS = 86_400_000;
const USERS = 20;

/** Sessions of twenty users, each a lane of its own, in which tools, drift, hosts, decay and undo do whatever chance says. */
export default async function randomOperations({ short, log }) {
  const total = short ? 20_000 : 1_000_000;
  const sessionsEach = short ? 5 : 50;
  const perSession = total / USERS / sessionsEach;
  const seed = 20260304;
  const random = createRandom(seed);
  const between = (low, high) => low + random() * (high - low);
  const pick = (list) => list[Math.floor(random() * list.length)];
  let nowMs = Date.UTC(2026, 0, 1);
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const clock = { now: () => nowMs, setTimeout: () => () => {} };
  const store = createMemoryStore({ clock, random });
  const found = { bounds: 0, notFinite: 0, budget: 0, operatorOnly: 0, restart: 0, done: 0, effective: 0, refused: 0, leaks: 0 };

  for (let user = 0; user < USERS; user += 1) {
    const personalityTraits = Object.fromEntries(HEXACO_TRAITS.map((trait) => [trait, random() < 0.2 ? pick([0, 1]) : random()]));
    const baseline = parseTraits(personalityTraits);
    for (let session = 0; session < sessionsEach; session += 1) {
      const scope = { persona: 'p', user: `u${user}`, session: `s${session}` };
      const maxDeltaPerSession = pick([0.15, 0.15, 0.5, 0.02]);
      const history = new PersonalityMutationStore({ lane: await store.open(scope), personalityTraits, clock, random });
      const traits = await history.startingTraits();
      if (!within(traits)) found.bounds += 1;
      const lane = await store.open(scope, { initial: { traits } });
      const tool = createAdaptPersonalityTool({ personalityTraits, maxDeltaPerSession });
      const drift = driftHook({
        persona: { personalityTraits },
        maxDeltaPerSession,
        analysisInterval: 1,
        cycleTurns: 10,
        mode: 'apply',
        readAffect: () => ({ valence: between(-1, 1), arousal: random() }),
      });
      const spent = new Map();
      for (let done = 0; done < perSession; ) {
        const { revision, state: start, events } = await lane.load('main');
        const turnId = newId();
        const logged = [];
        let state = start;
        const as = (by) => ({
          id: turnId,
          lane: 'p/u/s',
          origin: 'user',
          input: { id: turnId, role: 'user', content: '', origin: 'user' },
          atMs: nowMs,
          get state() {
            return state;
          },
          apply(operation, why) {
            const next = logOperations(state, [operation], { by, why, turn: turnId, atMs: nowMs }, newId);
            state = next.state;
            logged.push(...next.logged);
          },
          trace() {},
          raise() {},
        });
        for (let step = 0; step < 50 && done < perSession; step += 1, done += 1) {
          const kind = random();
          if (kind < 0.6) {
            const args = {
              trait: pick([...HEXACO_TRAITS, 'charisma', '__proto__', null]),
              delta: pick([between(-0.2, 0.2), between(-0.01, 0.01), 0, NaN, Infinity, -2, '0.05', null]),
              reasoning: pick(['because', '', ' ', undefined]),
            };
            const result = tool.execute(args, { turn: as('adapt_personality') });
            if (result.isError) found.refused += 1;
          } else if (kind < 0.75) await drift.afterTurn(as('drift'));
          else if (kind < 0.85) decayTraits(as('hexaco'), { baseline, halfLifeDays: pick([14, 1, 0.01, Infinity]) });
          else if (kind < 0.95) as('host').apply({ trait: pick(HEXACO_TRAITS), delta: between(-1.5, 1.5) }, 'the host says so');
          else nowMs += Math.floor(between(0, 3) * DAY_MS * (random() < 0.02 ? -0.1 : 0.05));
          found.done += 1;
          const current = currentTraits(state.traits, baseline);
          if (!within(current)) found.bounds += 1;
          if (!Object.values(state.traits).every(Number.isFinite)) found.notFinite += 1;
        }
        for (const { operation, by, from, to } of logged) {
          if (!('trait' in operation)) continue;
          found.effective += 1;
          if (!Number.isFinite(from) || !Number.isFinite(to)) found.notFinite += 1;
          if (by !== 'adapt_personality' && by !== 'drift') continue;
          // A step of decay made by the tool's own call carries the tool's name; it is no change of the tool's.
          if (logged.find((entry) => entry.operation === operation).why.startsWith('decay')) continue;
          if (operation.trait === 'honesty' || operation.trait === 'emotionality') found.operatorOnly += 1;
          const sum = (spent.get(operation.trait) ?? 0) + Math.abs(to - from);
          spent.set(operation.trait, sum);
          if (sum > maxDeltaPerSession + 1e-9) found.budget += 1;
        }
        await lane.commit({ revision, turn: turnId, operations: logged, events, batches: { add: [], done: [] } });
        const again = await (await store.open(scope)).load('main');
        if (JSON.stringify(again.state) !== JSON.stringify(state)) found.restart += 1;
      }
      const changes = await history.list({ sessions: 'this' });
      const open = changes.filter(({ undone }) => !undone);
      if (open.length > 0) await history.undo(pick(open).id);
    }
    log(`user ${user + 1} of ${USERS}: ${found.done} operations, ${found.effective} changes of traits`);
  }
  const none = (claim, count) => ({ claim, figure: `${count}`, limit: '0', pass: count === 0 });
  return [
    {
      claim: `${total.toLocaleString('en')} random operations were made`,
      figure: `${found.done.toLocaleString('en')} operations, ${found.effective.toLocaleString('en')} changes of traits, ${found.refused.toLocaleString('en')} refusals; seed ${seed}`,
      limit: `${total.toLocaleString('en')}`,
      pass: found.done === total && found.effective > total / 20,
    },
    none('No trait leaves 0 to 1', found.bounds),
    none('No trait becomes NaN or infinite', found.notFinite),
    none('No session spends more than its budget on a trait', found.budget),
    none('Tool and drift never move honesty or emotionality', found.operatorOnly),
    none('A restart finds the very state that was committed', found.restart),
  ];
}

function within(traits) {
  return HEXACO_TRAITS.every((trait) => traits[trait] >= 0 && traits[trait] <= 1);
}
