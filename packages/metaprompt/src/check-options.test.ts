import { createMemoryStore, type IPersonaDefinition } from '@x/core';
import { expect, test } from 'vitest';
import { MetapromptExecutor, mergeMetapromptPresets, metapromptHook, presetIssues } from './index.js';

const persona: IPersonaDefinition = { id: 'p', name: 'P', version: '1.0.0', baseSystemPrompt: 'x' };
const refused = expect.objectContaining({ code: 'invalid_argument' });

test.each([
  { timeoutMs: Number.NaN },
  { timeoutMs: 0 },
  { timeoutMs: -1 },
  { dailyTokens: Number.NaN },
  { dailyTokens: -1 },
  { dailyTokens: '5000' },
  { limits: { messages: -1 } },
  { limits: { evidenceChars: Number.NaN } },
  { prices: { inputPerMillion: Number.NaN, outputPerMillion: 1 } },
  { mode: 'Local' },
  { persona: null },
  { persona: { ...persona, metaPrompts: 'x' } },
  { persona: { ...persona, metaPrompts: [null] } },
])('hook and executor refuse an option that bounds nothing when they are made: %o', async (options) => {
  const lane = await createMemoryStore().open({ persona: 'p', user: 'u', session: 's' });
  expect(() => metapromptHook({ persona, ...options } as never)).toThrow(refused);
  expect(() => new MetapromptExecutor({ persona, lane, mode: 'local', ...options } as never)).toThrow(refused);
});

test('an executor without options is an invalid argument, not a TypeError', () => {
  for (const none of [undefined, null, {}]) expect(() => new MetapromptExecutor(none as never)).toThrow(refused);
});

test('no limit is a limit too', () => {
  metapromptHook({ persona, timeoutMs: Number.POSITIVE_INFINITY, dailyTokens: Number.POSITIVE_INFINITY, limits: { messages: 0 } });
});

test('one preset by its name alone is a list of it, and what is no name is told', () => {
  const named = (presets: unknown) => ({ ...persona, sentimentTracking: { enabled: true, presets } }) as IPersonaDefinition;
  expect(mergeMetapromptPresets(named('all'))).toHaveLength(5);
  expect(mergeMetapromptPresets(named('error_recovery')).map(({ id }) => id)).toEqual(['gmi_error_recovery']);
  expect(mergeMetapromptPresets(named([null, 'error_recovery', 5])).map(({ id }) => id)).toEqual(['gmi_error_recovery']);
  expect(presetIssues(named([null, 'all'])).map(({ code }) => code)).toEqual(['unknown_metaprompt_preset']);
});
