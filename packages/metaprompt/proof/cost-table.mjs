import { createMemoryStore } from '@x/core';
import { estimateCost, METAPROMPT_PRESETS, metapromptHook, readUsage } from '@x/metaprompt';
import { openLane } from '@x/runtime';
import { createRandom, createScriptedModel } from '@x/testkit';

/** Published by the original for a small model, in US dollars per million tokens. */
const PRICES = { inputPerMillion: 0.15, outputPerMillion: 0.6 };
const REFLECTION = `Review the recent conversation and decide whether the assumptions about this user still hold.
Evidence: {{evidence}}
Current mood: {{current_mood}}. User skill: {{user_skill}}. Task complexity: {{task_complexity}}.
Reply with JSON. Optional fields: updatedGmiMood, updatedUserSkillLevel, updatedTaskComplexity, adjustmentRationale, newMemoryImprints.`;
const persona = {
  id: 'tutor',
  name: 'Tutor',
  version: '1.0.0',
  baseSystemPrompt: 'You are a patient programming tutor.',
  sentimentTracking: { enabled: true, presets: ['frustration_recovery', 'confusion_clarification', 'satisfaction_reinforcement'] },
  metaPrompts: [{ id: 'gmi_self_trait_adjustment', promptTemplate: REFLECTION, trigger: { type: 'turn_interval', intervalTurns: 5 } }],
};
const ANSWER = JSON.stringify({
  updatedGmiMood: 'empathetic',
  updatedTaskComplexity: 'simple',
  adjustmentRationale:
    'The user failed twice at the same step and asks for a smaller one; the present pace is too fast for the evidence at hand.',
  recoveryStrategy: 'Acknowledge the difficulty, go back to the last thing that worked, and ask for one observable result before going on.',
  clarificationStrategy: 'Show one worked example and name the rule it follows.',
  engagementStrategy: 'Offer one step beyond what was asked.',
  newMemoryImprints: [{ key: 'struggles_with', value: 'base case of a recursion' }],
});
const WORDS =
  'the function returns before its base case so call itself again and look at what value it gives for one list node index'.split(' ');

async function simulate({ turns, eventOn, random, presetsOnly = false }) {
  let nowMs = Date.UTC(2026, 0, 1);
  const clock = { now: () => nowMs, setTimeout: () => () => {} };
  const say = (words) => Array.from({ length: words }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
  const calls = new Map();
  const estimates = [];
  const meta = createScriptedModel(
    (request) => {
      const text = String(request.messages[1].content);
      const kind = text.startsWith('Review') ? 'reflection' : 'event';
      calls.set(kind, (calls.get(kind) ?? 0) + 1);
      return ANSWER;
    },
    { record: false },
  );
  const raiser = {
    name: 'raiser',
    beforeTurn(turn) {
      const eventType = eventOn(Number(turn.id.slice(5)));
      if (eventType) turn.raise({ eventType, severity: 'medium', metadata: {} });
    },
  };
  const persona_ = presetsOnly ? { ...persona, metaPrompts: [] } : persona;
  const lane = await openLane({
    store: createMemoryStore({ clock, random }),
    scope: { persona: 'tutor', user: 'u', session: 's' },
    clock,
    random,
  });
  const session = lane.session({
    model: createScriptedModel(() => say(90), { record: false }),
    resolveModel: () => meta,
    features: [raiser, metapromptHook({ persona: persona_, clock, prices: PRICES })],
    onTrace: ({ message, details }) => {
      if (message.endsWith('asks a model.')) estimates.push(details);
    },
  });
  for (let turn = 1; turn <= turns; turn += 1) {
    nowMs += 90_000;
    await session.ask({ id: `turn-${turn}`, content: say(30) });
    await session.drain();
  }
  const usage = readUsage((await session.state()).values);
  const usd = (usage.inputTokens * PRICES.inputPerMillion + usage.outputTokens * PRICES.outputPerMillion) / 1e6;
  return { calls, usage, usd, estimates };
}

export default async function costTable({ short, log }) {
  const turns = short ? 200 : 1_000;
  const scale = turns / 1_000;
  const random = createRandom(20260303);
  // 5 % of turns, spread by chance, of the three kinds in turn.
  const kinds = ['user_frustrated', 'user_confused', 'user_satisfied'];
  const marked = new Map();
  while (marked.size < 50 * scale) {
    const turn = 1 + Math.floor(random() * turns);
    if (!marked.has(turn)) marked.set(turn, kinds[marked.size % 3]);
  }
  const run = await simulate({ turns, random, eventOn: (turn) => marked.get(turn) });
  const reflections = run.calls.get('reflection') ?? 0;
  const events = run.calls.get('event') ?? 0;
  const meanIn = run.usage.inputTokens / run.usage.calls;
  const meanOut = run.usage.outputTokens / run.usage.calls;
  const estimated = run.estimates.reduce((sum, { usd }) => sum + usd, 0);
  log(
    `${reflections} reflections, ${events} answers to ${marked.size} events, ${meanIn.toFixed(0)} in and ${meanOut.toFixed(0)} out a call, $${run.usd.toFixed(4)}; estimated beforehand at most $${estimated.toFixed(4)}`,
  );

  const angry = await simulate({ turns: 50, random, presetsOnly: true, eventOn: (turn) => (turn >= 2 ? 'user_frustrated' : undefined) });
  const angryFromFirst = await simulate({ turns: 50, random, presetsOnly: true, eventOn: () => 'user_frustrated' });
  const angriest = Math.max(angry.usage.calls, angryFromFirst.usage.calls);
  const oneEvent = estimateCost(METAPROMPT_PRESETS[0], { prices: PRICES });
  return [
    {
      claim: `An interval of 5 reflects exactly 200 times in 1,000 user turns`,
      figure: `${reflections} in ${turns}`,
      limit: `exactly ${turns / 5}`,
      pass: reflections === turns / 5,
    },
    {
      claim: 'Events on 5 % of turns cost at most one call each; those inside a cooldown cost none',
      figure: `${events} calls for ${marked.size} events`,
      limit: `at most ${marked.size}, at least half of them`,
      pass: events <= marked.size && events >= marked.size / 2,
    },
    {
      claim: 'A call stays within the 1,500 tokens in and 512 out of the published table',
      figure: `${meanIn.toFixed(0)} in and ${meanOut.toFixed(0)} out on average, estimated from bytes`,
      limit: 'at most 1,500 and 512',
      pass: meanIn <= 1_500 && meanOut <= 512,
    },
    {
      claim: 'All of it costs no more than the published $0.12 per 1,000 turns at $0.15 and $0.60 per million tokens, with about 250 calls',
      figure: `$${run.usd.toFixed(4)} and ${run.usage.calls} calls in ${turns} turns`,
      limit: `at most $${(0.12 * scale).toFixed(3)} and ${250 * scale} calls`,
      pass: run.usd <= 0.12 * scale && run.usage.calls <= 250 * scale,
    },
    {
      claim: 'The estimate before the fact is never below what was used',
      figure: `$${estimated.toFixed(4)} estimated at most, $${run.usd.toFixed(4)} used; one event before its turn: at most ${oneEvent.inputTokens} in, ${oneEvent.outputTokens} out, $${oneEvent.usd.toFixed(5)}`,
      limit: 'estimate at least as high',
      pass: estimated >= run.usd,
    },
    {
      claim: 'A session that stays angry for 50 turns asks for recovery at most 5 times',
      figure: `${angriest} calls`,
      limit: 'at most 5',
      pass: angriest <= 5 && angriest >= 1,
    },
  ];
}
