import { expect, test } from 'vitest';
import { normalise } from './normalise.js';

test('quotation marks of every kind become straight ones, the blanks that French sets inside go', () => {
  expect(normalise('Il dit «  bonjour  » et „guten Tag“, ‹ ciao ›')).toBe('Il dit "bonjour" et "guten Tag", "ciao"');
});

test('long runs of blanks beside a letter beyond ASCII are read in time linear in them', () => {
  const blanks = ' '.repeat(120_000);
  const startMs = performance.now();
  expect(normalise(`${blanks}é${blanks}`)).toBe(`${blanks}é${blanks}`);
  expect(performance.now() - startMs).toBeLessThan(2_000);
}, 5_000);
