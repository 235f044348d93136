import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkPattern, isPattern } from './index.js';

test.each([
  '/cat/',
  '/colou?r/i',
  '/\\b(cat|car|cart)s?\\b/',
  '/\\d{4}-\\d{2}-\\d{2}/',
  '/error.*timeout/',
  '/https?:\\/\\/\\S+/u',
  '/(?:cat|dog)+/',
  '/(?:ab){2,}c/',
  '/\\w+@\\w+\\.\\w+/',
  '/^\\s*#+\\s\\w+/m',
  '/[^"]*"[^"]*"/',
  '/\\p{Lu}x/u',
  '/a{2,5}/',
  '/\\u{1f600}|\\x41|\\cA|[\\b]|[a-z\\d-]|[^\\]]/u',
  '/(?<year>\\d+)-/',
])('%s is taken', (key) => {
  expect(checkPattern(key)).toEqual({ pattern: expect.any(RegExp) });
});

test.each([
  ['/(a+)+$/', 'nested loops'],
  ['/(a*)*/', 'a loop of what may be empty'],
  ['/(a|a)+b/', 'two ways with one character'],
  ['/(a|ab)+c/', 'two ways with one character, later'],
  ['/(\\w|\\d)+x/', 'overlapping classes'],
  ['/(x+x+)+y/', 'loops after each other in a loop'],
  ['/\\d+\\d+$/', 'loops after each other'],
  ['/.*.*=/', 'wide loops after each other'],
  ['/.*a.*b.*c/', 'wide loops that a letter does not part'],
  ['/a?a?a?a?a?aaaaa/', 'optional characters after each other'],
  ['/(a?b?)+c/', 'a loop of options'],
  ['/(a|aa)(a|aa)(a|aa)b/', 'ambiguous choices after each other'],
  ['/(?:\\d+\\d+)?x/', 'loops after each other inside an option'],
  ['/(?:x|\\d+\\d+)z/', 'loops after each other inside a choice'],
  ['/(a{1,20}){1,20}/', 'bounded loops inside each other'],
  ['/([a-z]+)*[A-Z]/i', 'letters that are the same when case does not count'],
  ['/(\\u212a|k)+/iu', 'a sign that is a letter when case does not count'],
  ['/(é|ü)+/', 'letters past ASCII, which count as all alike'],
  ['/(\\w+\\s)+/', 'a loop inside a loop, though a blank parts its rounds'],
  ['/(a)\\1/', 'a reference back'],
  ['/(?<x>a)\\k<x>/', 'a reference back by name'],
  ['/(\\u{1,30})+x/', 'an escape that is a repetition without its flag'],
  ['/(\\p{1,30})+x/', 'the same for a property'],
  ['/(\\xa+a+)+y/', 'an escape that is none, before repetitions'],
  ['/(?=a)b/', 'looking ahead'],
  ['/(?<!a)b/', 'looking behind'],
  ['/a(/', 'no regular expression'],
  ['/a/g', 'a flag that keeps state'],
  [`/${'a'.repeat(301)}/`, 'a very long pattern'],
])('%s is refused: %s', (key) => {
  expect(checkPattern(key)).toEqual({ problem: expect.any(String) });
});

test('a key is a pattern when it stands between slashes', () => {
  expect(['/a/', '/a/i', '/a\\/b/'].map(isPattern)).toEqual([true, true, true]);
  expect(['a', '/', '//', '/usr', 'a/b/'].map(isPattern)).toEqual([false, false, false, false, false]);
  // What follows the last slash is no set of flags: a path.
  expect(['/usr/bin', '/r/programming', '/etc/hosts', '/opt/go'].map(isPattern)).toEqual([false, false, false, false]);
  expect(['/a/g', '/a/x', '/a/gi', '/a/ims'].map(isPattern)).toEqual([true, true, true, true]);
});

const atom = fc.constantFrom('a', 'b', 'ab', '[ab]', '\\w', '.', '\\d', 'x', '[^a]');
const tree = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    atom,
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => a + b),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie('node'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}')).map(([a, q]) => `(?:${a})${q}`),
  ),
})).node;

test('a pattern that is taken is quick on texts made to trouble it', () => {
  let taken = 0;
  fc.assert(
    fc.property(tree, (source) => {
      const read = checkPattern(`/${source}$/`);
      if (!('pattern' in read)) return;
      const { pattern } = read;
      taken += 1;
      for (const piece of ['a', 'b', 'ab', 'a1', 'aab']) {
        const text = `${piece.repeat(Math.ceil(600 / piece.length))}!`;
        const start = performance.now();
        pattern.test(text);
        // Quadratic work on 600 characters takes about a millisecond; exponential work does not end.
        expect([source, piece, performance.now() - start < 2000]).toEqual([source, piece, true]);
      }
    }),
    { numRuns: 400 },
  );
  expect(taken).toBeGreaterThan(30);
}, 30_000);
