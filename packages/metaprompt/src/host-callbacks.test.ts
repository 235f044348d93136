import { createMemoryStore, type GMIEvent, type IPersonaDefinition } from '@x/core';
import { createRandom, createScriptedModel, createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { MetapromptExecutor, type MetapromptExecutorOptions } from './metaprompt-executor.js';

const persona: IPersonaDefinition = {
  id: 'tutor',
  name: 'Tutor',
  version: '1.0.0',
  baseSystemPrompt: 'You teach.',
  metaPrompts: [
    { id: 'calm', promptTemplate: 'x', trigger: { type: 'event_based', eventName: 'user_frustrated' } },
    { id: 'each', promptTemplate: 'x', trigger: { type: 'turn_interval', intervalTurns: 1 } },
  ],
};
const frustrated: GMIEvent = { eventType: 'user_frustrated', timestamp: '', turnId: 't', severity: 'high', metadata: {} };
const reply = JSON.stringify({
  updatedGmiMood: 'curious',
  updatedUserSkillLevel: 'expert',
  updatedTaskComplexity: 'complex',
  newMemoryImprints: [{ key: 'topic', value: 'loops' }],
});

async function setUp(options: Partial<MetapromptExecutorOptions>) {
  const clock = createVirtualClock(1_000_000);
  const random = createRandom(3);
  const lane = await createMemoryStore({ clock, random }).open({ persona: 'p', user: 'u', session: 's' });
  const model = createScriptedModel([reply], { atEnd: 'repeat' });
  return { lane, executor: new MetapromptExecutor({ persona, lane, model, clock, random, ...options }) };
}
const throws = (): never => {
  throw new Error('a fault of the host');
};

test.each([
  ['throws', throws],
  ['rejects', async () => throws()],
])('a host whose every callback %s loses no change and no batch', async (_how, callback) => {
  const { lane, executor } = await setUp({
    onTrace: callback,
    onMoodUpdate: callback,
    onUserContextUpdate: callback,
    onTaskContextUpdate: callback,
    onMemoryImprint: callback,
  });
  await executor.applyMetapromptUpdates({ updatedGmiMood: 'no such mood', updatedTaskComplexity: 'simple' }, 'each');
  expect(await executor.checkAndTriggerMetaprompts('t1', { events: [frustrated] })).toHaveLength(2);
  expect(await executor.drain()).toBe(true);
  const { state, batches } = await lane.load('main');
  expect([state.mood, state.skill, state.complexity, state.imprints, batches]).toEqual([
    'curious',
    'expert',
    'complex',
    { topic: 'loops' },
    [],
  ]);
  const faults = executor.traceLog.filter(({ type }) => type === 'ERROR').map(({ message }) => message);
  expect(faults.toSorted()).toEqual(
    ['onMemoryImprint', 'onMoodUpdate', 'onTaskContextUpdate', 'onTrace', 'onUserContextUpdate'].map(
      (name) => `The host's ${name} failed; further faults of it are not told.`,
    ),
  );
});

test('the same turn again triggers nothing, tells nothing and leaves no trace', async () => {
  const moods: string[] = [];
  const faded = { mood: 'frustrated', turn: 0, atMs: 0 };
  const { lane, executor } = await setUp({ onMoodUpdate: (mood) => moods.push(mood) });
  await lane.memory.set('currentGmiMood', 'frustrated');
  await lane.memory.set('gmi_mood_since', faded);
  const first = await executor.checkAndTriggerMetaprompts('t1', { countTurn: false, events: [frustrated] });
  await executor.drain();
  expect(first.map(({ id }) => id)).toEqual(['calm']);
  await lane.memory.set('currentGmiMood', 'frustrated');
  await lane.memory.set('gmi_mood_since', { ...faded, atMs: -1e9 });
  const before = [executor.traceLog, [...moods]];
  expect(await executor.checkAndTriggerMetaprompts('t1', { events: [frustrated] })).toEqual([]);
  await executor.drain();
  expect([executor.traceLog, moods]).toEqual(before);
  expect((await lane.load('main')).state.mood).toBe('frustrated');
});

test('a commit that another writer overtook is traced once', async () => {
  const { lane, executor } = await setUp({});
  let others = 2;
  const { load } = lane;
  lane.load = async (conversation) => {
    const now = await load(conversation);
    if (others-- > 0) await lane.memory.set('host', others);
    return now;
  };
  await executor.checkAndTriggerMetaprompts('t1');
  expect(executor.traceLog.filter(({ message }) => message === 'Metaprompts were triggered.')).toHaveLength(1);
});
