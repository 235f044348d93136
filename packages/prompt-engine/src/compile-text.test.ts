import type { TextCriteria } from '@x/core';
import { expect, test } from 'vitest';
import { compileText, PATTERN_WINDOW_CHARS } from './compile-text.js';
import { MatchContext } from './match-context.js';

function occurs(criteria: TextCriteria, ...recentTexts: string[]): boolean {
  return compileText(criteria, 'text').occurs(new MatchContext({ recentTexts }));
}

test.each<[string, TextCriteria, string, boolean]>([
  ['a word', { keys: ['cat'] }, 'The Cat sat.', true],
  ['a word inside another', { keys: ['cat'] }, 'concatenate', false],
  ['a word inside another, asked for', { keys: ['cat'], wholeWord: false }, 'concatenate', true],
  ['a word before an apostrophe', { keys: ['cat'] }, "the cat's tail", true],
  ['a word before a letter with a mark', { keys: ['cafe'] }, 'cafe\u0301s', false],
  ['a word that is composed otherwise', { keys: ['café'] }, 'un cafe\u0301 noir', true],
  ['a word next to an underscore', { keys: ['cat'] }, 'cat_food', false],
  ['a later whole word after a part of one', { keys: ['cat'] }, 'concat cat', true],
  ['several words', { keys: ['base case'] }, 'the base case ends it', true],
  ['a key with signs', { keys: ['C++'] }, 'I write C++ daily', true],
  ['capitals when they count', { keys: ['IT'], caseSensitive: true }, 'put it down', false],
  ['a Chinese word, which has no blanks around it', { keys: ['递归'] }, '什么是递归函数', true],
  ['a Thai word', { keys: ['แมว'] }, 'มีแมวสีดำ', true],
  ['a Cyrillic word', { keys: ['кот'] }, 'Кот спит', true],
  ['a Cyrillic word inside another', { keys: ['кот'] }, 'котлета', false],
  ['a word after an emoji', { keys: ['rex'] }, '🐕rex', true],
  ['any of the keys', { keys: ['dog', 'cat'] }, 'a cat', true],
  ['a key without its second one', { keys: ['cat'], secondaryKeys: ['milk'] }, 'a cat', false],
  ['a key with its second one', { keys: ['cat'], secondaryKeys: ['milk', 'fish'] }, 'a cat eats fish', true],
  ['a pattern', { keys: ['/colou?r/'] }, 'the colour red', true],
  ['a pattern in other letters', { keys: ['/colou?r/'] }, 'COLOR', false],
  ['a pattern with its flag', { keys: ['/colou?r/i'] }, 'COLOR', true],
  ['a path, which is no pattern', { keys: ['/usr'] }, 'look in /usr please', true],
  ['a longer path', { keys: ['/usr/bin'] }, 'look in /usr/bin please', true],
  ['a name between slashes', { keys: ['/r/programming'] }, 'as /r/programming says', true],
  ['a word with the apostrophe of a phone', { keys: ["dragon's lair"] }, 'in the dragon’s lair', true],
  ['a key with such an apostrophe', { keys: ['dragon’s lair'] }, "in the dragon's lair", true],
  ['words on two lines', { keys: ['red dragon'] }, 'a red\n dragon', true],
  ['words with a blank that does not break', { keys: ['red dragon'] }, 'a red\u00a0dragon', true],
  ['letters of full width', { keys: ['Dragon'] }, 'ｄｒａｇｏｎ', true],
  ['a word with a soft hyphen', { keys: ['dragon'] }, 'a dra\u00adgon', true],
  ['a pattern, which sees the text as it is', { keys: ['/red\\ndragon/'] }, 'red\ndragon', true],
  ['capitals that count, with such an apostrophe', { keys: ["Ann's"], caseSensitive: true }, 'Ann’s', true],
])('%s', (_title, criteria, text, expected) => {
  expect(occurs(criteria, text)).toBe(expected);
});

test('only the newest texts are searched, four unless said otherwise', () => {
  const talk = ['rex', 'b', 'c', 'd', 'e'];
  expect(occurs({ keys: ['rex'] }, ...talk)).toBe(false);
  expect(occurs({ keys: ['rex'], scanDepth: 5 }, ...talk)).toBe(true);
  expect(occurs({ keys: ['d'], scanDepth: 1 }, ...talk)).toBe(false);
});

test('a key and its second one may stand in different texts', () => {
  expect(occurs({ keys: ['cat'], secondaryKeys: ['fish'] }, 'fish', 'cat')).toBe(true);
});

test('a word is found in a text of ten million letters', () => {
  expect(occurs({ keys: ['rex'] }, `${'a word '.repeat(1_500_000)}rex`)).toBe(true);
});

test('a pattern sees the end of a very long text', () => {
  const filler = 'x '.repeat(PATTERN_WINDOW_CHARS);
  expect(occurs({ keys: ['/rex/'] }, `${filler}rex`)).toBe(true);
  expect(occurs({ keys: ['/rex/'] }, `rex${filler}`)).toBe(false);
});
