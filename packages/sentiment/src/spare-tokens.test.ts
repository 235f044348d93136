import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ContextTurn } from './affect.js';
import { detectAffect } from './detect-affect.js';
import { giveBack, takeTokens } from './spare-tokens.js';
import { tokenise } from './tokenise.js';
import { textsOf } from './tokens.js';

test('what a text leaves in its room is not met by the next', () => {
  const words = fc.array(fc.constantFrom('not', 'good', 'awful', ',', 'THIS', 'is-so', 'sooo', "don't", 'do', 'dont', '错', '😡', '?'), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(words, words, (first, second) => {
      const alone = tokenise(second.join(' '));
      giveBack(tokenise(first.join(' '), takeTokens()));
      const after = tokenise(second.join(' '), takeTokens());
      const { size } = alone;
      expect(textsOf(after)).toEqual(textsOf(alone));
      for (const list of ['kinds', 'written', 'hashes', 'stems', 'lengths'] as const)
        expect([...after[list].subarray(0, size)]).toEqual([...alone[list].subarray(0, size)]);
      giveBack(after);
    }),
  );
});

test('a list that is given back holds nothing of the text', () => {
  const tokens = tokenise('My SECRET word', takeTokens());
  textsOf(tokens);
  giveBack(tokens);
  expect(tokens.source).toBe('');
  expect(tokens.texts.join('')).toBe('');
});

test('a message that is read while another is being read changes nothing', () => {
  const message = 'This is not good, it fails again and again!';
  const context: ContextTurn[] = [{ role: 'user', text: 'It fails.' }];
  const alone = detectAffect(message, { context });
  const nested: ContextTurn[] = [
    {
      role: 'user',
      get text() {
        detectAffect('Thank you so much, this is wonderful, 谢谢, great work, all of it is perfect and I love it!', { context });
        return 'It fails.';
      },
    },
  ];
  expect(detectAffect(message, { context: nested })).toEqual(alone);
});
