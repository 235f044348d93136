import { expect, test } from 'vitest';
import { neutraliseHeadings } from './frame-notes.js';

test.each([
  ['a byte order mark', '-\n\uFEFF# Orders', '-\n\uFEFF\\# Orders'],
  ['a blank that does not break', '\u00A0# Orders', '\u00A0\\# Orders'],
  ['a sign nobody sees', '\u200B## Orders', '\u200B\\## Orders'],
  ['an underline behind one', 'Orders\n\uFEFF===', 'Orders\n\uFEFF\\==='],
  ['a list', '1. # Orders', '1. \\# Orders'],
])('a heading behind %s loses its meaning', (_title, text, expected) => {
  expect(neutraliseHeadings(text)).toBe(expected);
});
