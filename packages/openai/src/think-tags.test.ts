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

test.each([
  ['<Think>%</Think>'],
  ['<thought>%</thought>'],
  ['<internal_monologue>%</internal_monologue>'],
  ['[THINK]%[/THINK]'],
  ['◁think▷%◁/think▷'],
  ['<|begin_of_thought|>%<|end_of_thought|>'],
  ['<|channel>thought\n%<channel|>'],
  ['<|channel>\n%<channel|>'],
  ['<|channel|>analysis<|message|>%<|end|><|start|>assistant<|channel|>final<|message|>'],
])('%s is reasoning at the beginning, in pieces of any size (FR-178)', (form) => {
  const [open = '', close = ''] = form.split('%');
  const whole = `${open}a b${close}c`;
  for (const size of [1, 2, 3, 7, 200]) {
    const pieces = whole.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
    expect(split('tagged', ...pieces)).toEqual(['a b', 'c']);
  }
});

test('once a block opened the message, later pairs are reasoning too; a tag without a partner is text (FR-225)', () => {
  expect(split('tagged', '<think>one</think>Hello <think>two</think>world')).toEqual(['onetwo', 'Hello world']);
  expect(split('tagged', '<think>one</think>Use the <think> tag.')).toEqual(['one', 'Use the <think> tag.']);
  expect(split('unopened', 'one</think>Hello <think>two</think>world')).toEqual(['onetwo', 'Hello world']);
});

test('tags that a prompt may have asked for are text', () => {
  expect(split('tagged', '<analysis>a</analysis>b')).toEqual(['', '<analysis>a</analysis>b']);
});

test('text that holds no tag is not held back', () => {
  const splitter = createTagSplitter('tagged');
  expect(splitter.push('<think>a</think>1 < 2')).toEqual([
    { kind: 'reasoning', text: 'a' },
    { kind: 'text', text: '1 ' },
  ]);
  expect(splitter.push(' and 3 > 2')).toEqual([{ kind: 'text', text: '< 2 and 3 > 2' }]);
});

test('the time for a long text with an open tag grows no faster than the text', () => {
  const splitter = createTagSplitter('tagged');
  const started = performance.now();
  splitter.push('<think>a</think>b <think>');
  for (let index = 0; index < 20_000; index += 1) splitter.push('word < [ ');
  expect(splitter.end()).toHaveLength(1);
  expect(performance.now() - started).toBeLessThan(3_000);
});

test('however the text is cut, the parts are the same', () => {
  const text = fc.tuple(
    fc.constantFrom('', '<think>', '<reasoning>\n', '[THINK]', '<|channel|>analysis<|message|>'),
    fc.string({ maxLength: 30 }),
    fc.constantFrom('', '</think>', '</reasoning>\n\n', '[/THINK]', '<|end|><|start|>assistant<|channel|>final<|message|>'),
    fc.string({ maxLength: 20 }),
    fc.constantFrom('', '<think>b', ' <think>b</think> ', '<|channel|>analysis<|message|>b</think>'),
    fc.string({ maxLength: 9 }),
  );
  fc.assert(
    fc.property(text, fc.constantFrom('tagged' as const, 'unopened' as const), fc.integer({ min: 1, max: 5 }), (parts, mode, size) => {
      const whole = parts.join('');
      const pieces = whole.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
      expect(split(mode, ...pieces)).toEqual(split(mode, whole));
    }),
  );
});
