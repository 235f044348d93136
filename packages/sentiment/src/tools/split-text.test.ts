import { expect, test } from 'vitest';
import { splitSentences, splitText } from './split-text.js';

test.each(['en-12', 'en-', 'de-DE-DE', 'x', '', 'en_US', 'de-1996-1996', '漢字'])(
  'with the language tag "%s" words are still words',
  (language) => {
    expect(splitText('a b', { language })).toEqual(['a', 'b']);
    expect(splitSentences('One. Two.', language)).toEqual(['One.', 'Two.']);
  },
);
