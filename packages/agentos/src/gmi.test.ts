import { createMemoryStore, InMemoryWorkingMemory, type IPersonaDefinition } from '@x/core';
import { createScriptedModel, createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { GMI } from './gmi.js';

const tutor: IPersonaDefinition = {
  id: 'tutor',
  name: 'Tutor',
  description: 'A patient programming tutor.',
  version: '1.0.0',
  baseSystemPrompt: 'You are a patient programming tutor.',
  sentimentTracking: { enabled: true, presets: ['all'] },
  contextualPromptElements: [
    { id: 'empathetic-tone', type: 'behavioral_guidance', content: 'Acknowledge the difficulty.', criteria: { mood: 'empathetic' } },
  ],
};
const angry = 'This is terrible, I hate it and the app is useless.';
const build = (options: Partial<ConstructorParameters<typeof GMI>[0]> = {}) => {
  const model = createScriptedModel(() => ({ text: 'I see.' }));
  const gmi = new GMI({ persona: tutor, model, metapromptMode: 'local', clock: createVirtualClock(0), ...options });
  return { gmi, model };
};

test('frustration changes the mood in the background, and the next prompt with it', async () => {
  const { gmi, model } = build();
  const first = await gmi.processTurn(angry);
  expect(first.events.map(({ eventType }) => eventType)).toEqual(['user_frustrated']);
  expect(first.batches.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(['gmi_frustration_recovery']);
  await gmi.drain();
  expect((await gmi.state()).mood).toBe('empathetic');
  await gmi.processTurn('Show me the next step.');
  const body = JSON.stringify(model.requests.at(-1)?.messages);
  expect(body).toContain('Acknowledge the difficulty.');
  expect(JSON.stringify(model.requests[0]?.messages)).not.toContain('Acknowledge the difficulty.');
});

test('a host that keeps working memory arms a manual metaprompt there and sees the state', async () => {
  const workingMemory = new InMemoryWorkingMemory();
  const persona: IPersonaDefinition = {
    ...tutor,
    metaPrompts: [
      { id: 'mine', promptTemplate: 'x', mode: 'local', handler: () => ({ updatedGmiMood: 'curious' }), trigger: { type: 'manual' } },
    ],
  };
  const { gmi } = build({ persona, workingMemory });
  await workingMemory.set('manual_trigger_mine', true);
  const { batches } = await gmi.processTurn('Hello.');
  await gmi.drain();
  expect(batches.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(['mine']);
  expect([await workingMemory.get('manual_trigger_mine'), await workingMemory.get('currentGmiMood')]).toEqual([undefined, 'curious']);
});

test('a host arms a manual metaprompt in the middle of a talk, again and again', async () => {
  const workingMemory = new InMemoryWorkingMemory();
  const persona: IPersonaDefinition = {
    ...tutor,
    metaPrompts: [
      { id: 'mine', promptTemplate: 'x', mode: 'local', handler: () => ({ updatedGmiMood: 'curious' }), trigger: { type: 'manual' } },
    ],
  };
  const { gmi } = build({ persona, workingMemory });
  const ran: number[] = [];
  for (const turn of [1, 2, 3, 4]) {
    if (turn % 2 === 0) await workingMemory.set('manual_trigger_mine', true);
    const { batches } = await gmi.processTurn(`Message ${turn}.`);
    await gmi.drain();
    if (batches.length > 0) ran.push(turn);
  }
  expect(ran).toEqual([2, 4]);
  expect(await workingMemory.has('manual_trigger_mine')).toBe(false);
});

test('a session goes on in a new GMI over the same store', async () => {
  const store = createMemoryStore();
  const scope = { persona: 'tutor', user: 'anna', session: 's' };
  const first = build({ store, scope });
  await first.gmi.processTurn(angry);
  await first.gmi.shutdown();
  const second = build({ store, scope });
  await second.gmi.processTurn('Hello again.');
  expect(second.model.requests[0]?.messages.some(({ content }) => String(content).includes('useless'))).toBe(true);
  expect((await second.gmi.state()).mood).toBe('empathetic');
});

test('its phase follows its turns, and after shutdown it takes none', async () => {
  const { gmi } = build();
  expect(gmi.getCurrentState()).toBe('ready');
  await gmi.processTurn('Hello.');
  await gmi.shutdown();
  expect(gmi.getCurrentState()).toBe('shutdown');
  await expect(async () => gmi.processTurn('More.')).rejects.toMatchObject({ code: 'shut_down' });
});

test('a host sets any trait of this GMI alone', async () => {
  const { gmi } = build();
  await gmi.setPersonalityTrait('honesty', 0.9);
  expect((await gmi.state()).traits['honesty']).toBeCloseTo(0.9);
  await expect(gmi.setPersonalityTrait('charisma', 0.5)).rejects.toMatchObject({ code: 'configuration_invalid' });
  expect((await build().gmi.state()).traits['honesty']).toBe(0.5);
});

test('a trait that moved is remembered in the next session of the same person, faded by time, and by nobody else', async () => {
  const clock = createVirtualClock(0);
  const store = createMemoryStore({ clock });
  const call = { name: 'adapt_personality', arguments: { trait: 'openness', delta: 0.1, reasoning: 'Asks for wild ideas.' } };
  const emergent = { selfImprovement: { enabled: true } };
  const first = build({
    store,
    clock,
    emergent,
    scope: { persona: 'tutor', user: 'anna', session: '1' },
    model: createScriptedModel([{ toolCalls: [call] }, 'Done.']),
  });
  await first.gmi.processTurn('Be wilder.');
  await clock.advance(14 * 86_400_000);
  const opennessOf = async (user: string, session: string) => {
    const { gmi } = build({ store, clock, scope: { persona: 'tutor', user, session } });
    await gmi.processTurn('Hello.');
    return (await gmi.state()).traits['openness'];
  };
  expect(await opennessOf('anna', '2')).toBeCloseTo(0.55);
  expect(await opennessOf('bob', '1')).toBe(0.5);
});

test('a persona that asks for scores by a model gets them, and the reply is not one of them', async () => {
  const persona: IPersonaDefinition = { ...tutor, sentimentTracking: { enabled: true, method: 'llm', presets: ['frustration_recovery'] } };
  const model = createScriptedModel(({ messages }) =>
    JSON.stringify(messages).includes('how the writer') ? '{"score": -0.95, "polarity": "negative", "intensity": 0.95}' : 'I see.',
  );
  const { gmi } = build({ persona, model });
  const { events, text } = await gmi.processTurn('Well, that went as it always goes.');
  expect([events.map(({ eventType }) => eventType), text]).toEqual([['user_frustrated'], 'I see.']);
});

test.each([
  ['a method that is none', { enabled: true, method: 'afin' }],
  ['a window below one', { enabled: true, historyWindow: -3 }],
])('a persona with %s is refused before its first turn', (_title, sentimentTracking) => {
  expect(() => build({ persona: { ...tutor, sentimentTracking } as IPersonaDefinition })).toThrow(
    expect.objectContaining({ code: 'persona_invalid' }),
  );
});

test('a GMI without a model, or with a trait that is no number, is refused where it is made', async () => {
  for (const model of [undefined, 'gpt-4o-mini', {}] as never[])
    expect(() => build({ model })).toThrow(expect.objectContaining({ code: 'configuration_invalid' }));
  const { gmi } = build();
  for (const value of [null, true, '0.7'] as never[])
    await expect(gmi.setPersonalityTrait('openness', value)).rejects.toMatchObject({ code: 'configuration_invalid' });
});

test.each([undefined, null, 5, {}])('a turn of %j is refused with what it wants, awaited or looped over', async (input) => {
  const { gmi, model } = build();
  const refusal = { code: 'invalid_argument', message: expect.stringContaining('A turn needs a text') };
  await expect(gmi.processTurn(input as unknown as string).then()).rejects.toMatchObject(refusal);
  const loop = async () => {
    for await (const _ of gmi.processTurn(input as unknown as string));
  };
  await expect(loop()).rejects.toMatchObject(refusal);
  expect(model.requests).toEqual([]);
});

test('of two scores set at once the later one holds', async () => {
  const { gmi } = build();
  const late = gmi.setPersonalityTrait('openness', 0.9);
  await Promise.all([late, gmi.setPersonalityTrait('openness', 0.1)]);
  expect((await gmi.state()).traits['openness']).toBeCloseTo(0.1, 12);
  await expect(gmi.setPersonalityTrait('wit', 0.1)).rejects.toMatchObject({ code: 'configuration_invalid' });
});

test.each([
  ['a date', new Date(0)],
  ['a number of no end', 10n],
])('%s in a host’s memory is refused by the name of its key', async (_title, value) => {
  const none = async (): Promise<never> => expect.unreachable();
  const workingMemory = {
    keys: async () => ['odd'],
    get: async () => value as never,
    has: async () => true,
    set: none,
    delete: none,
    clear: none,
  };
  await expect(build({ workingMemory }).gmi.processTurn('hi')).rejects.toMatchObject({
    code: 'json_value_invalid',
    message: expect.stringContaining('["odd"]'),
  });
});
