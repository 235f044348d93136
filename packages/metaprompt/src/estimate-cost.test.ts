import {
  createMemoryStore,
  estimateTextTokens,
  type IPersonaDefinition,
  KEYS,
  type MetaPromptDefinition,
  type Stored,
  textOf,
} from '@x/core';
import { createRandom, createScriptedModel, createVirtualClock } from '@x/testkit';
import { expect, test } from 'vitest';
import { estimateCost } from './estimate-cost.js';
import { MetapromptExecutor, type MetapromptExecutorOptions } from './metaprompt-executor.js';
import { METAPROMPT_PRESETS } from './presets.js';
import { readUsage } from './usage.js';
import { VARIABLE_NAMES } from './variables.js';

const everything: MetaPromptDefinition = {
  id: 'everything',
  promptTemplate: `${VARIABLE_NAMES.map((name) => `${name}: {{${name}}}`).join('\n')}\n{{recent_conversation}}`,
  trigger: { type: 'turn_interval', intervalTurns: 1 },
  maxOutputTokens: 1000,
};

/** What one run uses whose every text is as long as it may be and made of one character, and whose first reply is no JSON. */
async function worst(character: string, options: Partial<MetapromptExecutorOptions> = {}) {
  const clock = createVirtualClock(1_000_000);
  const random = createRandom(5);
  const long = character.repeat(20_000);
  const lane = await createMemoryStore({ clock, random }).open({ persona: 'p', user: 'u', session: 's' });
  await lane.memory.set(
    KEYS.user,
    Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${character}${index}`, long.slice(0, 100)])),
  );
  await lane.memory.set(KEYS.task, Object.fromEntries(Array.from({ length: 30 }, (_, index) => [long.slice(0, 400) + index, index])));
  const persona: IPersonaDefinition = { id: 'p', name: 'P', version: '1.0.0', baseSystemPrompt: '', metaPrompts: [everything] };
  const history: Stored[] = Array.from({ length: 12 }, (_, index) => ({ id: `m${index}`, role: 'user', content: long, origin: 'user' }));
  const model = createScriptedModel(() => ({ text: long.slice(0, 300), usage: {} }), { atEnd: 'repeat' });
  const executor = new MetapromptExecutor({ persona, lane, model, clock, random, history: () => history, ...options });
  const event = {
    eventType: 'user_confused',
    timestamp: '',
    turnId: 't1',
    severity: 'high',
    metadata: { triggerKeywords: Array<string>(20).fill(long) },
  } as const;
  await executor.checkAndTriggerMetaprompts('t1', { events: [event] });
  await executor.drain();
  const bytes = model.requests.reduce((sum, { messages }) => sum + new TextEncoder().encode(messages.map(textOf).join('')).length, 0);
  return { calls: model.requests.length, bytes, usage: readUsage((await lane.load('main')).state.values) };
}

test.each([
  ['a word', 'talk '],
  ['a sign of Chinese', '请'],
  ['a sign that few tokenizers know', '㐀'],
  ['an emoji', '🫠'],
  ['a bracket, which a fence writes as six characters', '<'],
  ['a control character, which JSON writes as six', '\u0001'],
])('no run uses more than the estimate, when all that is said is %s', async (_name, character) => {
  const limits = { messages: 12, messageChars: 3000, conversationChars: 9000, evidenceChars: 6000 };
  for (const options of [{}, { limits, imprintEvidence: true }]) {
    const { calls, usage, bytes } = await worst(character, options);
    const most = estimateCost(everything, options);
    expect(calls).toBe(2);
    expect(usage.inputTokens).toBeLessThanOrEqual(most.inputTokens);
    expect(usage.outputTokens).toBeLessThanOrEqual(most.outputTokens);
    // Every byte a token: the worst that any tokenizer makes of it.
    expect(bytes).toBeLessThanOrEqual(most.inputTokens);
  }
});

test('a filled prompt is never estimated above the fullest one, and both count instructions, schema and repair', () => {
  const definition = METAPROMPT_PRESETS[0] as MetaPromptDefinition;
  const prompt = '怎么又出错了，'.repeat(500);
  const [fullest, filled] = [estimateCost(definition), estimateCost(definition, { prompt })];
  expect(fullest.inputTokens).toBeGreaterThan(filled.inputTokens);
  expect(filled.inputTokens).toBeGreaterThan(
    2 * (estimateTextTokens(prompt) + estimateTextTokens(JSON.stringify(definition.outputSchema))),
  );
  expect(fullest.outputTokens).toBe(2 * 512);
});

test('prices make dollars of tokens', () => {
  const { inputTokens, outputTokens, usd } = estimateCost(everything, { prices: { inputPerMillion: 1, outputPerMillion: 10 } });
  expect(usd).toBeCloseTo((inputTokens + 10 * outputTokens) / 1e6, 12);
});
