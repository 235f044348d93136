import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fence, newestThatFit, written } from './fence.js';
import { fillTemplate, placeholdersOf } from './fill-template.js';

// K36: what is inserted is never read as a template.
const hostile = fc.oneof(
  fc.string(),
  fc.constantFrom('{{b}}', '{{ user_skill }}', '$&', '$1', '$$', "$'", '</data>', '<data name="x">', '"}]'),
);

test('a value stands in the prompt exactly as it is, whatever it contains', () => {
  fc.assert(
    fc.property(hostile, hostile, (a, b) => {
      const filled = fillTemplate('1{{a}}2{{ B }}3{{a}}4', (name) => (name === 'a' ? a : b));
      expect(filled).toBe(`1${a}2${b}3${a}4`);
    }),
  );
});

test('an unknown placeholder stays, and each name is asked for once', () => {
  const asked: string[] = [];
  const filled = fillTemplate('{{x}} {{y}} {{X}}', (name) => {
    asked.push(name);
    return name === 'x' ? 'one' : undefined;
  });
  expect([filled, asked]).toEqual(['one {{y}} one', ['x', 'y']]);
  expect(placeholdersOf('{{x}} {{y}} {{X}} {{not a name}}')).toEqual(['x', 'y', 'x']);
});

test('fenced data reads back as it was and holds no bracket that could close the fence', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ role: fc.constantFrom('user', 'assistant'), text: hostile })), (entries) => {
      const body = /^<data name="talk">(.*)<\/data>$/s.exec(fence('talk', entries))?.[1] ?? '';
      expect(body).not.toMatch(/[<>\n\r\u2028\u2029]/);
      expect(JSON.parse(body)).toEqual(entries);
    }),
  );
});

test('entries leave whole, oldest first, and what stays fits', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ text: fc.string({ maxLength: 40 }) })), fc.integer({ min: 2, max: 300 }), (entries, maxChars) => {
      const kept = newestThatFit(entries, maxChars);
      expect(kept).toEqual(entries.slice(entries.length - kept.length));
      expect(written(kept).length).toBeLessThanOrEqual(maxChars);
      const oneMore = entries.slice(entries.length - kept.length - 1);
      if (kept.length < entries.length) expect(written(oneMore).length + 1).toBeGreaterThan(maxChars);
    }),
  );
});
