import { expect, test } from 'vitest';
import { anthropic } from './anthropic/anthropic.js';
import { openai } from './openai.js';

test.each([
  ['openai', () => openai({ model: 'gpt-4o', apiKey: 'k' })],
  ['anthropic', () => anthropic({ model: 'claude-sonnet-4-5', apiKey: 'k' })],
])('a model of %s borrows its messages, and nobody says so of a model that is spread from it', (_name, create) => {
  const model = create();
  expect(model.borrows).toBe(true);
  expect({ ...model }.borrows).toBeUndefined();
});
