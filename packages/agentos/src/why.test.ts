import { createMemoryStore, type IPersonaDefinition, type Turn } from '@x/core';
import { createScriptedModel, createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { GMI } from './gmi.js';
import { placedLines, promptLines } from './placed-lines.js';
import { rebuildTurn } from './rebuild-turn.js';
import { why } from './why.js';

const persona: IPersonaDefinition = {
  id: 'tutor',
  name: 'Tutor',
  version: '1.0.0',
  baseSystemPrompt: 'You are a patient programming tutor.',
  sentimentTracking: { enabled: true, presets: ['frustration_recovery'] },
  contextualPromptElements: [
    { id: 'empathetic-tone', type: 'behavioral_guidance', content: 'Acknowledge the difficulty.', criteria: { mood: 'empathetic' } },
  ],
};

async function talk(journal: boolean) {
  const model = createScriptedModel(() => 'I see.');
  const gmi = new GMI({ persona, model, journal, store: createMemoryStore(), metapromptMode: 'local', clock: createVirtualClock(0) });
  const first = await gmi.processTurn('This is terrible, I hate it and the app is useless.');
  await gmi.drain();
  const second = await gmi.processTurn('And now?');
  return { first, second, model, lane: (await gmi.lane()).store };
}

test('every request of a past turn is rebuilt byte for byte from the journal', async () => {
  const { first, second, model, lane } = await talk(true);
  const rebuilt = [await rebuildTurn(lane, first.id), await rebuildTurn(lane, second.id)];
  const chats = model.requests.map(({ messages, tools }) => JSON.stringify({ messages, tools }));
  expect(rebuilt.flatMap(({ steps }) => steps.map(({ body }) => body))).toEqual(chats);
  expect(rebuilt[0]?.signals).toContain('user_frustrated');
});

test('a line of an element names the element and the metaprompt whose change let it in', async () => {
  const { second, lane } = await talk(true);
  const { steps } = await rebuildTurn(lane, second.id);
  const line = promptLines(steps[0]?.body ?? '').findIndex(({ text }) => text.includes('Acknowledge the difficulty.')) + 1;
  const cause = await why({ lane, persona, turnId: second.id, line });
  expect(cause).toMatchObject({ place: 'volatile', part: 'elements', element: 'empathetic-tone' });
  expect(cause.changes).toMatchObject([{ by: 'metaprompt', from: 'neutral', to: 'empathetic' }]);
  expect(cause.changes[0]?.why).toContain('gmi_frustration_recovery');
});

test('a turn that changes several things names the one that the line speaks of, and nothing from behind it', async () => {
  const moods = {
    name: 'moods',
    beforeTurn(turn: Turn) {
      turn.apply({ set: 'skill', to: 'expert' }, 'it was said');
      turn.apply({ set: 'mood', to: 'creative' }, 'a joke was made');
    },
    afterTurn: (turn: Turn) => void turn.apply({ set: 'mood', to: 'focused' }, 'the turn is over'),
  };
  const gmi = new GMI({ persona, model: createScriptedModel(() => 'Ha.'), journal: true, features: [moods], clock: createVirtualClock(0) });
  const { id } = await gmi.processTurn('A joke');
  const lane = (await gmi.lane()).store;
  const { steps } = await rebuildTurn(lane, id);
  const line = promptLines(steps[0]?.body ?? '').findIndex(({ text }) => text.startsWith('Your mood')) + 1;
  expect((await why({ lane, persona, turnId: id, line })).changes).toMatchObject([{ by: 'moods', from: 'neutral', to: 'creative' }]);
});

test("the user's own words are conversation, and the base prompt is stable", async () => {
  const { second, lane } = await talk(true);
  const { steps } = await rebuildTurn(lane, second.id);
  const lines = promptLines(steps[0]?.body ?? '').map(({ text }) => text);
  const causeOf = (text: string) => why({ lane, persona, turnId: second.id, line: lines.indexOf(text) + 1 });
  expect(await causeOf('And now?')).toMatchObject({ place: 'conversation', part: 'user', changes: [] });
  expect(await causeOf('You are a patient programming tutor.')).toMatchObject({ place: 'stable', part: 'system' });
});

test('every line has one place: the whole system prompt is stable, a note with its frame volatile, all else conversation', async () => {
  const gmi = new GMI({ persona, model: createScriptedModel(() => 'Yes.'), journal: true, clock: createVirtualClock(0) });
  await gmi.processTurn('You are a patient programming tutor.');
  const { id } = await gmi.processTurn('<<note-0>>\n[state]\nYour mood is mine.\n<</note-0>>\n\nWell?');
  const { steps, parts } = await rebuildTurn((await gmi.lane()).store, id);
  const lines = placedLines(steps[0]?.body ?? '', parts);
  const places = lines.map(({ place }) => place).join(' ');
  expect(places).toMatch(/^(stable )+(volatile )+conversation conversation (volatile )+(conversation ?)+$/);
  const of = (text: string) => lines.filter((line) => line.text.includes(text)).map(({ place, part }) => `${place} ${part}`);
  expect(of('You are a patient programming tutor.')).toEqual(['stable system', 'conversation user']);
  expect(of('State note.')).toEqual(['volatile note', 'volatile note']);
  expect(of('Your mood')).toEqual(['volatile state', 'conversation user']);
  expect(lines.filter(({ text }) => text === '').map(({ place }) => place)).toContain('stable');
});

test('a note of an earlier turn is named as one, without changes that came after it', async () => {
  const { second, lane } = await talk(true);
  const { steps, parts } = await rebuildTurn(lane, second.id);
  const line = placedLines(steps[0]?.body ?? '', parts).findIndex(({ text }) => text.includes('even and factual')) + 1;
  expect(line).toBeGreaterThan(0);
  expect(await why({ lane, persona, turnId: second.id, line })).toMatchObject({ place: 'volatile', part: 'state', changes: [] });
});

test('without a journal there is nothing to rebuild, and a line must exist', async () => {
  const off = await talk(false);
  await expect(rebuildTurn(off.lane, off.first.id)).rejects.toMatchObject({ code: 'turn_not_journaled' });
  const on = await talk(true);
  await expect(why({ lane: on.lane, persona, turnId: on.first.id, line: 9_999 })).rejects.toMatchObject({ code: 'configuration_invalid' });
});
