import { expect, test } from 'vitest';
import { LexiconBuilder } from './lexicon-builder.js';
import { idsOf } from './look-up-words.js';
import { markBit } from './phrase-bits.js';
import { matchPhrase, type PhraseMatch } from './scan-phrases.js';
import { tokenise } from './tokenise.js';

test.each(['fed up|fed {up,out} with', 'fed {up,out} with|fed up'])('marks end with the longest phrase that carries one: %s', (marks) => {
  const builder = new LexiconBuilder('en', false);
  builder.addMarks(marks, markBit('felt'));
  const lexicon = builder.build();
  const match: PhraseMatch = { end: -1, cues: 0, marks: 0, marksEnd: 0 };
  const tokens = tokenise('fed up with it');
  expect(matchPhrase(lexicon, idsOf(tokens, lexicon, 0), 0, match)).toBe(false);
  expect({ marks: match.marks, marksEnd: match.marksEnd }).toEqual({ marks: markBit('felt'), marksEnd: 3 });
});
