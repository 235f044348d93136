import type { Stored } from '@x/core';
import { expect, test } from 'vitest';
import { createAssistantAlone } from './assistant-alone.js';

const history: readonly Stored[] = [
  { id: 'u1', role: 'user', origin: 'user', content: 'My name is Anna and I like tea.' },
  { id: 'a1', role: 'assistant', origin: 'assistant', content: 'Aye, Captain Anna! Let us go step by step, at 8 o’clock.' },
];

test.each([
  ['a nickname that the assistant made up', 'Captain', true],
  ['a number of its own', '8 o’clock', true],
  ['what both said', 'Anna', false],
  ['what the user said', 'tea', false],
  ['a description in plain words', 'step by step', false],
  ['what nobody said', 'Likes examples', false],
  ['nothing', ' ', false],
])('%s', (_title, claim, alone) => {
  expect(createAssistantAlone(() => history)(claim)).toBe(alone);
});
