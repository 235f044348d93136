import { createScriptedModel } from '@x/testkit';
import { expect, test } from 'vitest';
import { compactor, extractiveSummary, readFold, summarizeWith } from './index.js';

const messages = Array.from({ length: 16 }, (_, index) => ({
  role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: `Line ${index} of it. ${'walk on '.repeat(40)}`,
}));

test('a model summarises in one request without tools', async () => {
  const summary = '## Goal\nWalk on.\n## Done\n## In progress\n## Pending\n## Facts';
  const model = createScriptedModel([summary]);
  const out = await compactor({ maxTokens: 600, summarize: summarizeWith(model) })({ messages });
  expect(readFold(out!.messages)!.summary).toBe(summary);
  expect(model.requests.map(({ tools }) => tools)).toEqual([[]]);
});

test.each([
  ['nothing but thinking', ''],
  ['thinking in its text', '<think>They walked, so I should'],
  ['half a summary behind its thinking', '## Goal\nWalk'],
])('where %s came up to the limit of output, one more call has none', async (_title, text) => {
  const summary = '## Goal\nWalk on.\n## Done\n## In progress\n## Pending\n## Facts';
  const model = createScriptedModel([{ text, finish: 'length' }, summary]);
  const out = await compactor({ maxTokens: 600, summarize: summarizeWith(model) })({ messages });
  expect(readFold(out!.messages)!.summary).toBe(summary);
  expect(model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([150, undefined]);
});

test.each([
  ['a mark that its thinking speaks of', '<think>I may mention "</think>" and `<think>` in it.</think>'],
  ['a mark of another name that ends it', '<analysis>A draft.</think>'],
])('%s does not end up in a summary', async (_title, thinking) => {
  const summary = '## Goal\nWalk on, and tell of <think> tags.\n## Done\n## In progress\n## Pending\n## Facts';
  const model = createScriptedModel([`${thinking}\n${summary}`]);
  const out = await compactor({ maxTokens: 600, summarize: summarizeWith(model) })({ messages });
  expect(readFold(out!.messages)!.summary).toBe(summary);
});

test('an answer that is too long for a summary is not asked for without a limit', async () => {
  const long = { text: `## Goal\n${'walk on '.repeat(100)}`, finish: 'length' as const };
  const model = createScriptedModel([long, long]);
  const outcome = await compactor({ maxTokens: 600, summarize: summarizeWith(model) }).run({ messages });
  expect(outcome).toMatchObject({ status: 'failed', code: 'summary_unfinished' });
  expect(model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([150, 150]);
});

test('without a model an extract serves, also as the fallback of a model that fails', async () => {
  const down = () => Promise.reject(new Error('down'));
  const out = await compactor({ maxTokens: 600, summarize: down, fallback: extractiveSummary })({ messages });
  expect(readFold(out!.messages)!.summary).toMatch(/^Extract of what was said:\n(user|assistant): Line \d+ of it\./);
});

test('a model that goes on with the conversation instead has not summarised it', async () => {
  const goesOn = 'Next I will edit the file src/a.ts and run tests.';
  const outcome = (sections?: readonly string[]) =>
    compactor({ maxTokens: 600, sections, summarize: summarizeWith(createScriptedModel([goesOn, goesOn])) }).run({ messages });
  expect(await outcome()).toMatchObject({ status: 'failed', code: 'summary_sections_missing' });
  expect(await outcome(['Plan'])).toMatchObject({ status: 'failed', code: 'summary_sections_missing' });
  expect(await outcome([])).toMatchObject({ status: 'folded' });
});
