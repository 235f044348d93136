import { createScriptedModel } from '@x/testkit';
import { expect, test } from 'vitest';
import { compactor, extractiveSummary, readFold, summarizeWith } from './index.js';

const messages = Array.from({ length: 16 }, (_, index) => ({
  role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: `Line ${index} of it. ${'walk on '.repeat(40)}`,
}));

test('a model summarises in one request without tools', async () => {
  const model = createScriptedModel(['## Goal\nWalk on.']);
  const out = await compactor({ maxTokens: 600, summarize: summarizeWith(model) })({ messages });
  expect(readFold(out!.messages)!.summary).toBe('## Goal\nWalk on.');
});

test('without a model an extract serves, also as the fallback of a model that fails', async () => {
  const down = () => Promise.reject(new Error('down'));
  const out = await compactor({ maxTokens: 600, summarize: down, fallback: extractiveSummary })({ messages });
  expect(readFold(out!.messages)!.summary).toMatch(/^Extract of what was said:\n(user|assistant): Line \d+ of it\./);
});
