import { createMemoryStore } from '@x/core';
import { MetapromptExecutor } from '@x/metaprompt';
import { createRandom, createScriptedModel } from '@x/testkit';
import { hostileReply } from './lib/hostile-replies.mjs';

const persona = {
  id: 'p',
  name: 'P',
  version: '1.0.0',
  baseSystemPrompt: '',
  sentimentTracking: { enabled: true, presets: ['frustration_recovery'] },
};
const event = { eventType: 'user_frustrated', timestamp: '2026-01-01T00:00:00.000Z', turnId: 't', severity: 'high', metadata: {} };
const shown = (state) =>
  JSON.stringify([state.mood, state.skill, state.complexity, state.language ?? null, state.domain ?? null, state.traits, state.imprints]);

/** Each reply is given to a new lane by way of the frustration preset, the same again to the repair call. */
export default async function hostileReplies({ short, log }) {
  const count = short ? 500 : 10_000;
  const seed = 20260302;
  const random = createRandom(seed);
  const prototype = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
  const wrong = new Map();
  const kinds = new Map();
  let changedWithout = 0;
  let untold = 0;
  let polluted = 0;
  let calls = 0;
  for (let index = 0; index < count; index += 1) {
    const { kind, text, expected } = hostileReply(random);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const lane = await createMemoryStore({ random }).open({ persona: 'p', user: 'u', session: 's' });
    const model = createScriptedModel(() => ({ text: [text] }));
    const executor = new MetapromptExecutor({ persona, lane, model, random });
    const before = shown((await lane.load('main')).state);
    await executor.checkAndTriggerMetaprompts('t1', { events: [event] });
    await executor.drain();
    const { state } = await lane.load('main');
    calls += model.requests.length;
    const errors = executor.traceLog.filter(({ type, details }) => type === 'ERROR' && typeof details?.reason === 'string');
    const warnings = executor.traceLog.filter(({ type, details }) => type === 'WARNING' && typeof details?.reason === 'string');
    const fault = (what) => wrong.set(`${kind}: ${what}`, (wrong.get(`${kind}: ${what}`) ?? 0) + 1);
    if (!expected) {
      if (shown(state) !== before) {
        changedWithout += 1;
        fault('changed the state');
      }
      if (errors.length !== 1) {
        untold += 1;
        fault('no reason given');
      }
    } else {
      if (errors.length > 0) fault(`refused: ${errors[0].details.reason} ${errors[0].details.problem}`);
      if (state.mood !== expected.mood || JSON.stringify(Object.keys(state.imprints)) !== JSON.stringify(expected.imprints))
        fault('another state than expected');
      if (warnings.length !== expected.refusals) {
        untold += 1;
        fault(`${warnings.length} reasons for ${expected.refusals} refusals`);
      }
    }
    if (
      JSON.stringify(Object.getOwnPropertyNames(Object.prototype)) !== prototype ||
      {}.polluted !== undefined ||
      state.imprints.polluted !== undefined
    )
      polluted += 1;
  }
  for (const [what, times] of wrong) log(`${times} × ${what}`);
  log(`${kinds.size} kinds, ${calls} calls, seed ${seed}`);
  const named = `${count} generated replies of ${kinds.size} kinds, seed ${seed}`;
  return [
    {
      claim: `Without a valid reply no state changes (${named})`,
      figure: `${changedWithout} changes`,
      limit: '0',
      pass: changedWithout === 0,
    },
    { claim: 'Each refusal has its reason in the trace', figure: `${untold} without`, limit: '0', pass: untold === 0 },
    { claim: 'No prototype is reached', figure: `${polluted} polluted`, limit: '0', pass: polluted === 0 },
    {
      claim: 'Every reply has exactly the effect its generator foretold',
      figure: `${[...wrong.values()].reduce((a, b) => a + b, 0)} with another`,
      limit: '0',
      pass: wrong.size === 0,
    },
    {
      claim: 'No reply costs more than two calls',
      figure: `${calls} calls for ${count} runs`,
      limit: `at most ${2 * count}`,
      pass: calls <= 2 * count,
    },
  ];
}
