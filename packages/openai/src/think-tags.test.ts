import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTagSplitter } from './think-tags.js';

function split(mode: 'tagged' | 'unopened', ...pieces: readonly string[]): readonly [reasoning: string, text: string] {
  const splitter = createTagSplitter(mode);
  const all = [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
  const of = (kind: string): string => all.flatMap((piece) => (piece.kind === kind ? [piece.text] : [])).join('');
  return [of('reasoning'), of('text')];
}

test('reasoning stands between tags at the beginning', () => {
  expect(split('tagged', '<think>a b</think>\n\nc')).toEqual(['a b', 'c']);
  expect(split('tagged', '\n<thinking>\na</thinking> c')).toEqual(['a', 'c']);
});

test('a tag further on is text, and so is a text without tags', () => {
  expect(split('tagged', 'Use <think>x</think> tags.')).toEqual(['', 'Use <think>x</think> tags.']);
  expect(split('tagged', '<', 'b>bold</b>')).toEqual(['', '<b>bold</b>']);
  expect(split('tagged', '<thi')).toEqual(['', '<thi']);
});

test('reasoning that is never closed is no text', () => {
  expect(split('tagged', '<think>all of it')).toEqual(['all of it', '']);
});

test('where the first tag is part of the prompt, a lone closing tag ends the reasoning (FR-181)', () => {
  expect(split('unopened', 'a', ' b</thi', 'nk>c')).toEqual(['a b', 'c']);
  expect(split('unopened', '<think>a</think>c')).toEqual(['a', 'c']);
  expect(split('unopened', 'no tag at all')).toEqual(['', 'no tag at all']);
});

test('however the text is cut, the parts are the same', () => {
  const text = fc.tuple(
    fc.constantFrom('', '<think>', '<reasoning>\n'),
    fc.string({ maxLength: 30 }),
    fc.constantFrom('', '</think>', '</reasoning>\n\n'),
    fc.string({ maxLength: 20 }),
  );
  fc.assert(
    fc.property(
      text,
      fc.constantFrom('tagged' as const, 'unopened' as const),
      fc.integer({ min: 1, max: 5 }),
      ([opening, inside, closing, after], mode, size) => {
        const whole = opening + inside + closing + after;
        const pieces = whole.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
        expect(split(mode, ...pieces)).toEqual(split(mode, whole));
      },
    ),
  );
});
