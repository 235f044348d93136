import { createMemoryStore, KEYS } from '@x/core';
import { driftHook, hexacoHook, PersonalityMutationStore } from '@x/hexaco';
import { openLane } from '@x/runtime';
import { createRandom, createScriptedModel } from '@x/testkit';

const TURNS = 200;
const personalityTraits = { extraversion: 0.4, agreeableness: 0.7, conscientiousness: 0.6 };
const persona = { personalityTraits };

/** 200 user turns with a session of the runtime: lively and pleasant for the most part, now and then flat or sour. */
export default async function driftRun({ log }) {
  const random = createRandom(20260306);
  let nowMs = Date.UTC(2026, 0, 1);
  const clock = { now: () => nowMs, setTimeout: () => () => {} };
  const scope = { persona: 'p', user: 'u', session: 's' };
  const store = createMemoryStore({ clock, random });
  const scorer = {
    name: 'sentiment',
    beforeTurn(turn) {
      const kind = random();
      const [valence, arousal] = kind < 0.7 ? [0.4 + random() * 0.5, 0.4 + random() * 0.5] : kind < 0.9 ? [0, 0.2] : [-0.6, 0.6];
      turn.apply({ put: KEYS.affect, value: { valence, arousal, score: valence, atMs: turn.atMs } }, 'scripted score');
    },
  };
  const lane = await openLane({ store, scope, clock, random });
  const session = lane.session({
    model: createScriptedModel(() => 'ok', { record: false }),
    features: [scorer, hexacoHook({ persona }), driftHook({ persona, mode: 'apply' })],
  });
  const proposed = [];
  const notes = [];
  for (let turn = 1; turn <= TURNS; turn += 1) {
    nowMs += 30_000;
    const result = await session.ask(`message ${turn}`);
    if (result.parts.volatile.traits) notes.push(turn);
    const record = (await session.state()).values[KEYS.drift];
    if (record.analysedAtMs === nowMs) proposed.push({ turn, proposals: record.proposals });
  }
  const mutations = await new PersonalityMutationStore({ lane: await store.open(scope), personalityTraits, clock }).list();
  for (const { turn, proposals } of proposed)
    log(`turn ${turn}: ${JSON.stringify(proposals.map(({ trait, delta, confidence }) => ({ trait, delta, confidence })))}`);
  for (const { by, from, to, reasoning, evidence } of mutations)
    log(`log: ${by}: ${from} to ${to}; ${reasoning}; turns ${evidence.length}`);
  const [first] = mutations;
  return [
    {
      claim: 'In 200 scripted turns drift is analysed at turns 100 and 200, after every fifth cycle of 20',
      figure: `analysed at turns ${proposed.map(({ turn }) => turn).join(' and ')}`,
      limit: '100 and 200',
      pass: proposed.map(({ turn }) => turn).join() === '100,200',
    },
    {
      claim: 'It proposes at most two changes each time and applies them, with an entry in the log',
      figure: mutations
        .map(
          ({ by, from, to, reasoning, evidence }) =>
            `${by}: ${from.toFixed(3)} to ${to.toFixed(3)}, ${reasoning}, ${evidence.length} turns named`,
        )
        .join('; '),
      limit: 'one to two for each analysis, each by drift with its evidence',
      pass:
        mutations.length >= 2 &&
        mutations.length <= 4 &&
        mutations.every(({ by, trait, evidence }) => by === 'drift' && trait === 'extraversion' && evidence.length > 1),
    },
    {
      claim: 'The change is bounded and reaches the prompt in the next turn',
      figure: `first change ${(first.to - first.from).toFixed(3)}, told in ${notes.length} turns from turn ${notes[0]} on`,
      limit: 'at most 0.05; from turn 101 on',
      pass: Math.abs(first.to - first.from) <= 0.05 && notes[0] === 101 && notes.length === 100,
    },
  ];
}
