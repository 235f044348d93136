import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idOf, idText } from './id-text.js';

const any = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.array(fc.constantFrom('\\', '"', '\\"', '\0', '\ud800', '\udc00', 'a')).map((parts) => parts.join('')),
);

test('an id comes back as it was, in text that every database takes', () => {
  fc.assert(
    fc.property(any, (id) => {
      const text = idText(id);
      expect(idOf(text)).toBe(id);
      expect(text).not.toContain('\0');
      expect(Buffer.from(text, 'utf8').toString('utf8')).toBe(text);
    }),
  );
});

test('different ids stay different, plain ones stay as they are', () => {
  fc.assert(fc.property(any, any, (a, b) => (idText(a) === idText(b)) === (a === b)));
  expect(['main', 'ava/anna/1', 'say "hi"', 'é👋'].map(idText)).toEqual(['main', 'ava/anna/1', 'say "hi"', 'é👋']);
});
