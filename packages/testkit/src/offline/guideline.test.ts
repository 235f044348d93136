import { expect, test } from 'vitest';
import { guidelinesOf } from './guideline.js';

test('a word before a colon is a label, not a demand', () => {
  expect(guidelinesOf('Voice: warm, brief, a little dry', 'system')).toEqual([
    {
      text: 'Voice: warm, brief, a little dry',
      aloud: 'first',
      object: 'Voice: warm, brief, a little dry',
      negative: false,
      condition: undefined,
    },
  ]);
  expect(guidelinesOf('Voice doubts when you have them.', 'system')).toMatchObject([
    { verb: 'voice', object: 'doubts when you have them' },
  ]);
});
