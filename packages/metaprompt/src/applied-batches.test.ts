import { createMemoryStore, type IPersonaDefinition } from '@x/core';
import { createRandom, createScriptedModel, createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { appliedBatches, undoBatch } from './applied-batches.js';
import { MetapromptExecutor } from './metaprompt-executor.js';

const each = (id: string) => ({ id, promptTemplate: id, trigger: { type: 'turn_interval', intervalTurns: 1 } }) as const;
const persona: IPersonaDefinition = {
  id: 'p',
  name: 'P',
  version: '1.0.0',
  baseSystemPrompt: '',
  metaPrompts: [each('first'), each('second')],
};

async function setUp() {
  const clock = createVirtualClock(1_000_000);
  const random = createRandom(3);
  const lane = await createMemoryStore({ clock, random }).open({ persona: 'p', user: 'u', session: 's' });
  const says: { readonly [prompt: string]: object } = {
    first: { updatedGmiMood: 'empathetic', newMemoryImprints: [{ key: 'topic', value: 'loops' }] },
    second: { updatedGmiMood: 'analytical', newMemoryImprints: [{ key: 'topic', value: 'graphs' }] },
  };
  const model = createScriptedModel((request) => JSON.stringify(says[String(request.messages[1]?.content)]), { atEnd: 'repeat' });
  const executor = new MetapromptExecutor({ persona, lane, model, clock, random });
  await executor.checkAndTriggerMetaprompts('t1');
  await executor.drain();
  const [batch] = await appliedBatches(lane);
  return { lane, id: batch?.id ?? '', operations: batch?.operations ?? [], clock, random };
}

test('a batch in which one change followed another is taken back whole', async () => {
  const { lane, id, operations, clock, random } = await setUp();
  expect(operations.map(({ to }) => to)).toEqual(['empathetic', 'loops', 'analytical', 'graphs']);
  const { superseded } = await undoBatch(lane, id, { clock, random });
  const { mood, imprints } = (await lane.load('main')).state;
  expect({ mood, imprints, superseded }).toEqual({ mood: 'neutral', imprints: {}, superseded: [] });
});

test('what a later word has set stays, and with it every change of the batch below it', async () => {
  const { lane, id, operations, clock, random } = await setUp();
  await lane.memory.set('currentGmiMood', 'focused');
  const { superseded } = await undoBatch(lane, id, { clock, random });
  const { mood, imprints } = (await lane.load('main')).state;
  expect({ mood, imprints, superseded }).toEqual({
    mood: 'focused',
    imprints: {},
    superseded: operations.filter(({ operation }) => 'set' in operation).map((entry) => entry.id),
  });
});
