import { expect, test } from 'vitest';
import { detectAffect } from './detect-affect.js';

test.each([
  ['de', 'im Moment leider'],
  ['de', 'im Test fehlt etwas'],
  ['nl', 'kunt u helpen'],
  ['nl', 'u moet dat herstellen'],
  ['en', 'im so happy'],
  ['en', 'u r great'],
  ['en', 'im lost'],
])('%s: %s is read as typed, whatever English spelling it resembles', (language, text) => {
  expect(detectAffect(text).language).toBe(language);
});
