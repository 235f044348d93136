import { createMemoryStore, type IPersonaDefinition, KEYS, type LaneStore, type MetaPromptDefinition } from '@x/core';
import { createRandom, createScriptedModel, createVirtualClock, type Script, type VirtualClock } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { createLaneHarness, type LaneHarness } from '../test/lane-harness.js';
import { estimateCost } from './estimate-cost.js';
import { type MetapromptHookOptions, metapromptHook } from './metaprompt-hook.js';
import { readUsage } from './usage.js';

const persona: IPersonaDefinition = {
  id: 'tutor',
  name: 'Tutor',
  version: '1.0.0',
  baseSystemPrompt: 'You teach.',
  sentimentTracking: { enabled: true, presets: ['frustration_recovery'] },
};
const RECOVERED = JSON.stringify({
  updatedGmiMood: 'Empathetic',
  updatedTaskComplexity: 'low',
  adjustmentRationale: 'two failed attempts',
  recoveryStrategy: 'one step at a time',
});

async function setUp(
  options: Partial<MetapromptHookOptions> & { script?: Script; lane?: LaneStore } = {},
): Promise<LaneHarness & { clock: VirtualClock; model: ReturnType<typeof createScriptedModel> }> {
  const clock = createVirtualClock(Date.UTC(2026, 2, 1, 9));
  const { script = [], lane, ...rest } = options;
  const random = createRandom(7);
  const model = createScriptedModel(script, { atEnd: 'repeat' });
  const store = lane ?? (await createMemoryStore({ clock, random }).open({ persona: 'tutor', user: 'u', session: 's' }));
  const hook = metapromptHook({ persona, clock, ...rest });
  return { ...createLaneHarness({ lane: store, hook, model, clock, random }), clock, model };
}

const interval = (intervalTurns: number, id = 'reflect'): MetaPromptDefinition => ({
  id,
  promptTemplate: '{{recent_conversation}}',
  trigger: { type: 'turn_interval', intervalTurns },
});

describe('triggers', () => {
  test('an interval of 3 fires on turns 3, 6 and 9, and only user turns count', async () => {
    const lane = await setUp({ persona: { ...persona, metaPrompts: [interval(3)] }, script: ['{}'] });
    const fired: number[] = [];
    for (let turn = 1; turn <= 9; turn += 1) {
      await lane.turn('a beat', { origin: 'heartbeat' });
      const { batches } = await lane.turn('hello');
      if (batches.length > 0) fired.push(turn);
      await lane.runPending();
    }
    expect(fired).toEqual([3, 6, 9]);
  });

  test('one event reaches every metaprompt that waits for it, then it is gone', async () => {
    const own: MetaPromptDefinition = { id: 'mine', promptTemplate: 'x', trigger: { type: 'event_based', eventName: 'user_frustrated' } };
    const lane = await setUp({ persona: { ...persona, metaPrompts: [own] } });
    const { batches } = await lane.turn('it broke again', { events: ['user_frustrated', 'somebody_elses'] });
    expect(batches[0]?.items).toEqual([
      { id: 'gmi_frustration_recovery', because: 'event user_frustrated' },
      { id: 'mine', because: 'event user_frustrated' },
    ]);
    expect((await lane.load()).events.map((event) => event.eventType)).toEqual(['somebody_elses']);
  });

  test('a manual flag fires once and is lowered', async () => {
    const own: MetaPromptDefinition = { id: 'check', promptTemplate: 'x', trigger: { type: 'manual' } };
    const clock = createVirtualClock();
    const store = await createMemoryStore({ clock }).open({ persona: 'p', user: 'u', session: 's' });
    const lane = await setUp({ persona: { ...persona, metaPrompts: [own] }, lane: store });
    await store.memory.set('manual_trigger_check', true);
    const first = await lane.turn('one');
    const second = await lane.turn('two');
    expect([first, second].map(({ batches }) => batches[0]?.items)).toEqual([[{ id: 'check', because: 'manual' }], undefined]);
    expect(await store.memory.has('manual_trigger_check')).toBe(false);
  });

  test('a session that stays angry for 50 turns asks for recovery five times', async () => {
    const lane = await setUp({ script: [RECOVERED] });
    for (let turn = 1; turn <= 50; turn += 1) {
      await lane.turn('this is awful', { events: turn >= 2 ? ['user_frustrated'] : [] });
      await lane.runPending();
    }
    expect(lane.model.requests).toHaveLength(5);
  });

  test('maxCallsPerSession ends the runs for good', async () => {
    const capped = { ...interval(1), maxCallsPerSession: 2 };
    const lane = await setUp({ persona: { ...persona, metaPrompts: [capped] }, script: ['{}'] });
    for (let turn = 1; turn <= 5; turn += 1) {
      await lane.turn('hi');
      await lane.runPending();
    }
    expect(lane.model.requests).toHaveLength(2);
    expect(lane.trace.filter((entry) => entry.message.endsWith('max_calls.'))).toHaveLength(3);
  });

  test('the day share stops runs before they are asked for, and returns with the next day', async () => {
    const { inputTokens, outputTokens } = estimateCost(interval(1));
    const lane = await setUp({
      persona: { ...persona, metaPrompts: [interval(1)] },
      dailyTokens: inputTokens + outputTokens + 1499,
      script: [{ text: '{}', usage: { inputTokens: 1400, outputTokens: 100 } }],
    });
    for (let turn = 1; turn <= 4; turn += 1) {
      await lane.turn('hi');
      await lane.runPending();
    }
    expect(lane.model.requests).toHaveLength(1);
    await lane.clock.advance(24 * 3_600_000);
    await lane.turn('good morning');
    await lane.runPending();
    expect(lane.model.requests).toHaveLength(2);
    expect((await lane.state()).values[KEYS.metapromptUsage]).toEqual({
      day: '2026-03-02',
      dayTokens: 1500,
      calls: 2,
      repairs: 0,
      inputTokens: 2800,
      outputTokens: 200,
    });
  });
});

describe('replies', () => {
  test('a reply changes mood and complexity, whatever the case or synonym, and says why in the log', async () => {
    const lane = await setUp({ script: [`Here you are:\n\`\`\`json\n${RECOVERED}\n\`\`\``] });
    await lane.turn('it broke again', { events: ['user_frustrated'] });
    await lane.runPending();
    const { mood, complexity } = await lane.state();
    expect({ mood, complexity }).toEqual({ mood: 'empathetic', complexity: 'simple' });
    const changed = lane.trace.find((entry) => entry.type === 'STATE_CHANGE');
    expect(changed?.details).toMatchObject({ newMood: 'empathetic', newTaskComplexity: 'simple', rationale: 'two failed attempts' });
  });

  test('a mood that does not exist changes none and leaves the rest of its reply standing, at no further call', async () => {
    const lane = await setUp({ script: [RECOVERED.replace('Empathetic', 'helpful')] });
    await lane.turn('it broke again', { events: ['user_frustrated'] });
    await lane.runPending();
    const { mood, complexity } = await lane.state();
    expect({ mood, complexity }).toEqual({ mood: 'neutral', complexity: 'simple' });
    expect(lane.trace.filter((entry) => entry.type === 'ERROR')).toEqual([]);
    expect(lane.trace.some(({ message }) => message.includes('updatedGmiMood'))).toBe(true);
  });

  test('a reply without the explanations that a preset asks for changes what it says', async () => {
    const lane = await setUp({ script: [JSON.stringify({ updatedGmiMood: 'empathetic' })] });
    await lane.turn('it broke again', { events: ['user_frustrated'] });
    await lane.runPending();
    expect((await lane.state()).mood).toBe('empathetic');
  });

  test('a reply of which nothing can be used costs one repair call, then a visible failure', async () => {
    const helpful = JSON.stringify({ updatedGmiMood: 'helpful', adjustmentRationale: 'x', recoveryStrategy: 'y' });
    const lane = await setUp({ script: [helpful, helpful] });
    await lane.turn('it broke again', { events: ['user_frustrated'] });
    await lane.runPending();
    expect(lane.model.requests).toHaveLength(2);
    expect((await lane.state()).mood).toBe('neutral');
    expect(lane.trace.filter((entry) => entry.type === 'ERROR').map((entry) => entry.details)).toMatchObject([
      { metaprompt: 'gmi_frustration_recovery', reason: 'reply_breaks_schema', calls: 2 },
    ]);
  });

  test('a repaired reply counts', async () => {
    const lane = await setUp({ script: ['no json here', RECOVERED] });
    await lane.turn('it broke again', { events: ['user_frustrated'] });
    await lane.runPending();
    expect((await lane.state()).mood).toBe('empathetic');
  });

  test('the schema goes out as structured output where the endpoint takes it, and as text where not', async () => {
    const plain = createScriptedModel([RECOVERED]);
    const strict = createScriptedModel([RECOVERED], { capabilities: { structuredOutput: true } });
    for (const model of [plain, strict]) {
      const clock = createVirtualClock();
      const lane = await createMemoryStore({ clock }).open({ persona: 'p', user: 'u', session: 's' });
      const harness = createLaneHarness({ lane, hook: metapromptHook({ persona, clock }), model, clock, random: createRandom(1) });
      await harness.turn('it broke', { events: ['user_frustrated'] });
      await harness.runPending();
    }
    const said = (model: typeof plain) => String(model.requests[0]?.messages[0]?.content).includes('"updatedGmiMood"');
    expect([plain, strict].map((model) => [model.requests[0]?.outputSchema !== undefined, said(model)])).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  test('a hung model is given up at the deadline and what comes late is dropped', async () => {
    const lane = await setUp({ script: [{ text: RECOVERED, hang: true }], timeoutMs: 1000 });
    await lane.turn('it broke', { events: ['user_frustrated'] });
    const running = lane.runPending();
    await lane.clock.advance(1000);
    await running;
    expect((await lane.state()).mood).toBe('neutral');
    expect(lane.trace.at(-1)?.details).toMatchObject({ reason: 'timed_out' });
    const { calls, inputTokens } = readUsage((await lane.state()).values);
    expect([calls, inputTokens > 100]).toEqual([1, true]);
  });

  test('a reply that was paid for counts, though the repair call after it never answered', async () => {
    const reply = { text: 'no JSON', usage: { inputTokens: 700, outputTokens: 30 } };
    const lane = await setUp({ script: [reply, { hang: true }], timeoutMs: 1000 });
    await lane.turn('it broke', { events: ['user_frustrated'] });
    const running = lane.runPending();
    await lane.clock.advance(1000);
    await running;
    const { calls, inputTokens, outputTokens, dayTokens } = readUsage((await lane.state()).values);
    expect([calls, inputTokens > 800, outputTokens, dayTokens]).toEqual([2, true, 30, inputTokens + 30]);
  });

  test('moods that a persona allows count in any case, in what is offered too', async () => {
    const adaptive = { ...persona, moodAdaptation: { allowedMoods: ['EMPATHETIC', 'Curious'] } };
    const lane = await setUp({ persona: adaptive, script: [RECOVERED] });
    await lane.turn('it broke', { events: ['user_frustrated'] });
    await lane.runPending();
    expect([(await lane.state()).mood, lane.model.requests.length]).toEqual(['empathetic', 1]);
  });

  test('an aborted batch stays pending', async () => {
    const lane = await setUp({ script: [{ hang: true }] });
    await lane.turn('it broke', { events: ['user_frustrated'] });
    const stop = new AbortController();
    const running = lane.runPending(stop.signal);
    stop.abort(new Error('shutting down'));
    await expect(running).rejects.toThrow('shutting down');
    expect((await lane.load()).batches).toHaveLength(1);
  });
});

test('mode local adapts without a single model call', async () => {
  const lane = await setUp({ mode: 'local' });
  await lane.turn('it broke again', { events: ['user_frustrated'] });
  await lane.runPending();
  const { mood, complexity, values } = await lane.state();
  expect({ mood, complexity, usage: values[KEYS.metapromptUsage] }).toEqual({ mood: 'empathetic', complexity: 'simple', usage: undefined });
  expect(lane.model.requests).toHaveLength(0);
});

describe('mood decay', () => {
  test('after eight turns without renewal the mood is the persona own again', async () => {
    const lane = await setUp({ mode: 'local' });
    await lane.turn('it broke', { events: ['user_frustrated'] });
    await lane.runPending();
    const moods: string[] = [];
    for (let turn = 2; turn <= 11; turn += 1) {
      await lane.turn('fine');
      moods.push((await lane.state()).mood);
    }
    expect(moods).toEqual([...Array<string>(8).fill('empathetic'), 'neutral', 'neutral']);
  });

  test('six hours do the same', async () => {
    const lane = await setUp({ mode: 'local' });
    await lane.turn('it broke', { events: ['user_frustrated'] });
    await lane.runPending();
    await lane.clock.advance(6 * 3_600_000);
    await lane.turn('hello again');
    expect((await lane.state()).mood).toBe('neutral');
  });
});

test('an imprint under a name of the state itself is refused', async () => {
  const script = [
    JSON.stringify({
      newMemoryImprints: [
        { key: 'topic', value: 'recursion' },
        { key: 'currentGmiMood', value: 'x' },
      ],
    }),
  ];
  const lane = await setUp({ persona: { ...persona, metaPrompts: [interval(1)] }, script });
  await lane.turn('hi');
  await lane.runPending();
  expect((await lane.state()).imprints).toEqual({ topic: 'recursion' });
  expect(lane.trace.filter((entry) => entry.type === 'WARNING').map((entry) => entry.details)).toMatchObject([
    { field: 'newMemoryImprints[1]' },
  ]);
});
