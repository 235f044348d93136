import { createMemoryStore, type GMIEvent, InMemoryWorkingMemory, type IPersonaDefinition } from '@x/core';
import { createRandom, createScriptedModel, createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { appliedBatches, undoBatch } from './applied-batches.js';
import { MetapromptExecutor, type MetapromptExecutorOptions } from './metaprompt-executor.js';

const persona: IPersonaDefinition = {
  id: 'tutor',
  name: 'Tutor',
  version: '1.0.0',
  baseSystemPrompt: 'You teach.',
  sentimentTracking: { enabled: true, presets: ['frustration_recovery'] },
  metaPrompts: [{ id: 'reflect', promptTemplate: '{{evidence}}', trigger: { type: 'turn_interval', intervalTurns: 2 } }],
};
const frustrated: GMIEvent = {
  eventType: 'user_frustrated',
  timestamp: '2026-03-01T00:00:00.000Z',
  turnId: 't',
  severity: 'high',
  metadata: {},
};
const reply = (updatedGmiMood: string): string => JSON.stringify({ updatedGmiMood, adjustmentRationale: 'r', recoveryStrategy: 's' });

async function setUp(options: Partial<MetapromptExecutorOptions> = {}) {
  const clock = createVirtualClock(1_000_000);
  const random = createRandom(11);
  const store = createMemoryStore({ clock, random });
  const open = () => store.open({ persona: 'p', user: 'u', session: 's' });
  const make = async (more: Partial<MetapromptExecutorOptions> = {}) =>
    new MetapromptExecutor({ persona, lane: await open(), clock, random, ...options, ...more });
  return { clock, open, make, executor: await make() };
}

test('an event is recorded with the turn, answered in the background, and told to the host', async () => {
  const moods: string[] = [];
  const { executor, open } = await setUp({ model: createScriptedModel([reply('empathetic')]), onMoodUpdate: (mood) => moods.push(mood) });
  expect(await executor.checkAndTriggerMetaprompts('t1', { events: [frustrated] })).toEqual([
    { id: 'gmi_frustration_recovery', because: 'event user_frustrated' },
  ]);
  expect(await executor.drain()).toBe(true);
  const { state, batches, events } = await (await open()).load('main');
  expect({ mood: state.mood, batches, events, moods }).toEqual({ mood: 'empathetic', batches: [], events: [], moods: ['empathetic'] });
});

test('turns that no user made are not counted', async () => {
  const { executor } = await setUp({ model: createScriptedModel(['{}'], { atEnd: 'repeat' }) });
  const fired: number[] = [];
  for (let turn = 1; turn <= 4; turn += 1) {
    await executor.checkAndTriggerMetaprompts(`tool-${turn}`, { countTurn: false });
    if ((await executor.checkAndTriggerMetaprompts(`t${turn}`, { countTurn: true })).length > 0) fired.push(turn);
  }
  await executor.drain();
  expect(fired).toEqual([2, 4]);
});

test('what a process left pending is done by the next one, once', async () => {
  const { executor, make, open, clock } = await setUp({ model: createScriptedModel([{ hang: true }]) });
  await executor.checkAndTriggerMetaprompts('t1', { events: [frustrated] });
  const closing = executor.shutdown();
  await clock.advance(5000);
  expect(await closing).toBe(false);
  expect((await (await open()).load('main')).batches).toHaveLength(1);
  const next = await make({ model: createScriptedModel([reply('curious')]) });
  next.resume();
  await next.drain();
  const { state, batches } = await (await open()).load('main');
  expect({ mood: state.mood, batches }).toEqual({ mood: 'curious', batches: [] });
});

test('batches run one after the other, in the order in which they were triggered', async () => {
  const { executor, open } = await setUp({
    persona: { ...persona, metaPrompts: [{ id: 'each', promptTemplate: 'x', trigger: { type: 'turn_interval', intervalTurns: 1 } }] },
    model: createScriptedModel([{ text: reply('curious') }, { error: new Error('down') }, { text: reply('focused') }]),
  });
  for (const turn of ['t1', 't2', 't3']) await executor.checkAndTriggerMetaprompts(turn);
  await executor.drain();
  const applied = await appliedBatches(await open());
  expect(applied.map(({ id, operations }) => [id, operations.map(({ to }) => to)])).toEqual([
    ['batch-t1', ['curious']],
    ['batch-t3', ['focused']],
  ]);
  expect(executor.traceLog.filter((entry) => entry.type === 'ERROR').map((entry) => entry.turn)).toEqual(['batch-t2']);
});

test('an applied batch can be taken back, unless something later has spoken', async () => {
  const { executor, open } = await setUp({ model: createScriptedModel([reply('curious'), reply('focused')]) });
  await executor.checkAndTriggerMetaprompts('t1', { events: [frustrated] });
  await executor.drain();
  await executor.applyMetapromptUpdates(
    { updatedGmiMood: 'analytical', newMemoryImprints: [{ key: 'topic', value: 'loops' }] },
    'gmi_error_recovery',
  );
  const lane = await open();
  const [first, second] = await appliedBatches(lane);
  expect((await undoBatch(lane, first?.id ?? '')).superseded).toHaveLength(1);
  expect((await lane.load('main')).state.mood).toBe('analytical');
  await undoBatch(lane, second?.id ?? '');
  const { mood, imprints } = (await lane.load('main')).state;
  expect({ mood, imprints }).toEqual({ mood: 'curious', imprints: {} });
  await expect(undoBatch(lane, second?.id ?? '')).rejects.toMatchObject({ code: 'batch_unknown' });
});

test('drain tells when the time ran out first', async () => {
  const { executor, clock } = await setUp({ model: createScriptedModel([{ hang: true }]), timeoutMs: 60_000 });
  await executor.checkAndTriggerMetaprompts('t1', { events: [frustrated] });
  const drained = executor.drain({ timeoutMs: 20 });
  await clock.advance(20);
  expect(await drained).toBe(false);
  const later = executor.drain();
  await clock.advance(60_000);
  expect(await later).toBe(true);
});

test('triggerMetaprompt runs a metaprompt after the next turn; an unknown id is an error', async () => {
  const { executor } = await setUp({ model: createScriptedModel(['{}']) });
  await expect(executor.triggerMetaprompt('nobody')).rejects.toMatchObject({ code: 'metaprompt_unknown' });
  await executor.triggerMetaprompt('reflect');
  expect(await executor.checkAndTriggerMetaprompts('t1')).toEqual([{ id: 'reflect', because: 'manual' }]);
});

test('a host with its own working memory keeps its state there, under the seed names', async () => {
  const workingMemory = new InMemoryWorkingMemory();
  await workingMemory.set('currentUserContext', { skillLevel: 'expert', userId: 'u' });
  await workingMemory.set('manual_trigger_reflect', true);
  const model = createScriptedModel([
    JSON.stringify({
      updatedGmiMood: 'curious',
      updatedUserSkillLevel: 'ADVANCED',
      newMemoryImprints: [{ key: 'topic', value: 'graphs' }],
    }),
  ]);
  const executor = new MetapromptExecutor({ persona, workingMemory, model, clock: createVirtualClock(), random: createRandom(2) });
  await executor.checkAndTriggerMetaprompts('t1');
  await executor.drain();
  expect(await workingMemory.get('currentGmiMood')).toBe('curious');
  expect(await workingMemory.get('currentUserContext')).toEqual({ skillLevel: 'advanced', userId: 'u' });
  expect(await workingMemory.get('imprint:topic')).toBe('graphs');
  expect(await workingMemory.has('manual_trigger_reflect')).toBe(false);
});

test('an executor that was shut down takes no more turns', async () => {
  const { executor } = await setUp({ mode: 'local' });
  expect(await executor.shutdown()).toBe(true);
  await expect(executor.checkAndTriggerMetaprompts('t')).rejects.toMatchObject({ code: 'metaprompts_closed' });
});

test('an executor without a place for state or without a model is refused', async () => {
  expect(() => new MetapromptExecutor({ persona, mode: 'local' })).toThrowError(expect.objectContaining({ code: 'invalid_argument' }));
  expect(() => new MetapromptExecutor({ persona, workingMemory: new InMemoryWorkingMemory() })).toThrowError(
    expect.objectContaining({ code: 'invalid_argument' }),
  );
});
