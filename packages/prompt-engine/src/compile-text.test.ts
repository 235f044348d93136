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
  ['a word with the quotes of a phone', { keys: ['the "Raven"'] }, 'in the “Raven” inn', true],
  ['a word with a hyphen that does not break', { keys: ['e-mail'] }, 'an e\u2011mail', true],
  ['words with a mark of direction between them', { keys: ['red dragon'] }, 'red\u200f dragon', true],
  ['a sign with its variation selector', { keys: ['❤️'] }, 'I ❤ you', true],
  ['a Korean word with its particle', { keys: ['앨리스'] }, '앨리스가 왔다', true],
  ['a Korean word with two of them', { keys: ['서울'] }, '서울에서는 비가 온다', true],
  ['a Korean word with a copula', { keys: ['드래곤'] }, '저것은 드래곤이다.', true],
  ['a Korean word inside another', { keys: ['바나'] }, '바나나우유', false],
  ['a Korean word of one syllable, which may begin any other', { keys: ['나'] }, '나라가 크다', false],
  ['a Korean word behind the rest of another', { keys: ['한산'] }, '북한산은 높다', false],
  ['a Turkish capital', { keys: ['İstanbul'] }, 'istanbul çok güzel', true],
  ['a Turkish small letter', { keys: ['ısparta'] }, 'ISPARTA', true],
  ['a German capital', { keys: ['Straße'] }, 'DIE STRASSE', true],
  ['a Greek letter that ends a word', { keys: ['οδός'] }, 'ΟΔΌΣ', true],
  ['a key that nobody sees', { keys: ['\ufe0f'] }, 'anything', false],
  ['a key that nobody sees, in the middle of words', { keys: ['\ufe0f'], wholeWord: false }, 'anything', false],
  ['capitals that count, in Turkish', { keys: ['İl'], caseSensitive: true }, 'il', false],
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
