import { expect, test } from 'vitest';
import { findSpans, planEdit } from './edit-notes.js';

const replace = (file: string, text: string, replacement: string) => planEdit(file, { action: 'replace', text, with: replacement });
const remove = (file: string, text: string) => planEdit(file, { action: 'remove', text });
const textAfter = (plan: ReturnType<typeof planEdit>): string => ('text' in plan ? plan.text : plan.outcome);

test('only the matched words of an entry change', () => {
  expect(textAfter(replace('- likes tea; lives in Oslo\n', 'likes tea', 'likes coffee'))).toBe('- likes coffee; lives in Oslo\n');
});

test('dollar signs in the new words stand for themselves', () => {
  expect(textAfter(replace('- cost is price\n', 'price', '$& and $$5 $` $1'))).toBe('- cost is $& and $$5 $` $1\n');
});

test('words that occur twice change nothing and come back as candidates', () => {
  expect(replace('- lives in Oslo\n- born in Oslo\n', 'Oslo', 'Rome')).toEqual({
    outcome: 'many',
    count: 2,
    candidates: ['- lives in Oslo', '- born in Oslo'],
  });
  expect(remove('- likes tea at 5pm\n- likes tea\n', 'likes tea')).toMatchObject({ outcome: 'many', count: 2 });
});

test('a list marker and a line break pin an entry down among others that hold its words', () => {
  expect(textAfter(remove('- likes tea at 5pm\n- likes tea\n', '- likes tea\n'))).toBe('- likes tea at 5pm\n');
});

test('what is not there changes nothing, and entries with the same words are offered', () => {
  expect(replace('- lives in Lisbon\n- drinks tea\n', 'Lisbon and Porto', 'Rome')).toEqual({ outcome: 'none', near: ['lives in Lisbon'] });
});

test('removing all of an entry removes its line', () => {
  expect(textAfter(remove('- a\n- b\n- c\n', 'b'))).toBe('- a\n- c\n');
  expect(textAfter(remove('- only', 'only'))).toBe('');
  expect(textAfter(remove('# Notes\n- x\n', '- x'))).toBe('# Notes\n');
});

test('removing a part of an entry leaves the rest tidy', () => {
  expect(textAfter(remove('- likes tea; lives in Oslo\n', 'likes tea'))).toBe('- lives in Oslo\n');
  expect(textAfter(remove('- likes tea; lives in Oslo\n', 'lives in Oslo'))).toBe('- likes tea\n');
  expect(textAfter(remove('- a, b, c\n', 'b'))).toBe('- a, c\n');
  expect(textAfter(remove('- one\n  two\n', 'one'))).toBe('- two\n');
});

test('differences that nobody sees do not keep words from matching', () => {
  expect(textAfter(replace('- Cafe\u0301 at  noon\n', 'Caf\u00E9 at noon', 'bar'))).toBe('- bar\n');
  expect(textAfter(replace('- a\u200Bb here\n', 'ab', 'x'))).toBe('- x here\n');
  expect(textAfter(replace('- one\r\n  line\r\n- two\r\n', 'one\n  line', 'x'))).toBe('- x\r\n- two\r\n');
  expect(textAfter(replace('- Green Tea\n', 'green tea', 'coffee'))).toBe('- coffee\n');
});

test('letter case counts where it tells two places apart', () => {
  expect(textAfter(replace('- Tea\n- tea\n', 'tea', 'x'))).toBe('- Tea\n- x\n');
});

test('a match never begins inside a composed letter', () => {
  expect(findSpans('- e\u0301\n', 'e')).toEqual([]);
});

test('new lines stay inside the entry, in the style of the file', () => {
  expect(textAfter(replace('- a\r\n- b\r\n', 'a', 'x\n- y'))).toBe('- x\r\n  - y\r\n- b\r\n');
});

test('prose outside the list can be edited too', () => {
  expect(textAfter(replace('# Notes\n\nAva is kind.\n\n- a\n', 'kind', 'brief'))).toBe('# Notes\n\nAva is brief.\n\n- a\n');
});

test('a byte order mark survives an edit of the first line', () => {
  expect(textAfter(remove('\uFEFF- a\n- b\n', 'a'))).toBe('\uFEFF- b\n');
});

test('copies of one whole entry go together; of parts they stay ambiguous', () => {
  expect(textAfter(remove('- a\n- b\n- a\n', '- a\n'))).toBe('- b\n');
  expect(remove('- a\n- b\n- a\n', 'a')).toMatchObject({ outcome: 'many', count: 2 });
});
