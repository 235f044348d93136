import { expect, test } from 'vitest';
import * as z from 'zod';
import { isAgentosError } from '../errors.js';
import { extractJson } from './index.js';

const codeOf = (run: () => unknown): string => {
  try {
    run();
    return 'none';
  } catch (error) {
    return isAgentosError(error) ? error.code : String(error);
  }
};

test.each([
  ['alone', '{"a":1}', { a: 1 }],
  ['with prose around', 'Here you go: {"facts":[]} Hope it helps', { facts: [] }],
  ['in a fence and a sentence after', '```json\n{"a":1}\n```\nThat is all.', { a: 1 }],
  ['with a footnote behind', '{"a":1} see [1]', { a: 1 }],
  ['with a footnote before', 'As in [1]: {"a":1}', { a: 1 }],
  ['a URL in a string', '{"url":"https://a.b/c"}', { url: 'https://a.b/c' }],
  ['a fence inside a string inside a longer fence', '````json\n{"t":"```js\\nx\\n```"}\n````', { t: '```js\nx\n```' }],
  ['after thinking aloud', '<think>maybe {"draft":true}</think>{"title":"T"}', { title: 'T' }],
  ['after a lone closing tag', 'thoughts {"no":1} </think>{"a":1}', { a: 1 }],
  ['before a lone opening tag', '{"a":1}<thinking>{"b":2}', { a: 1 }],
  ['with a tag inside a string', '{"html":"<think>x</think>"}', { html: '<think>x</think>' }],
  ['with an attribute and spaces in the tag', '< think step="1">{"no":1}</ THINK >{"a":1}', { a: 1 }],
  ['trailing commas', '{"a":[1,2,],}', { a: [1, 2] }],
  ['an escaped apostrophe', '{"t":"user\\\'s dog"}', { t: "user's dog" }],
  ['a bad escape', '{"path":"C:\\users"}', { path: 'C:\\users' }],
  ['single quotes', "{'a': 'b'}", { a: 'b' }],
  ['after braces in prose', 'Use {braces} like this: {"a":1}', { a: 1 }],
  ['a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
  ['a list', 'so [{"text":"x"}]', [{ text: 'x' }]],
])('reads a value: %s', (_title, text, value) => {
  expect(extractJson(text)).toEqual(value);
});

test.each([
  ['nothing', 'no JSON here', 'json_not_found'],
  ['empty', '', 'json_not_found'],
  ['cut off inside a string', '{"t":"a, b, c', 'json_cut_off'],
  ['cut off between fields', '{"a":1,"b":', 'json_cut_off'],
  ['only inside thinking', '<think>{"a":1}</think> done', 'json_not_found'],
])('refuses: %s', (_title, text, code) => {
  expect(codeOf(() => extractJson(text))).toBe(code);
});

const updates = {
  type: 'object',
  properties: {
    updatedGmiMood: { type: 'string', enum: ['neutral', 'empathetic'] },
    score: { type: 'number', minimum: 0, maximum: 1 },
    newMemoryImprints: {
      type: 'array',
      items: { type: 'object', properties: { key: { type: 'string' }, value: {} }, required: ['key', 'value'] },
    },
  },
};

test.each([
  ['an enumeration in another case', '{"updatedGmiMood":"EMPATHETIC"}', { updatedGmiMood: 'empathetic' }],
  ['keys in another style', '{"updated_gmi_mood":"neutral"}', { updatedGmiMood: 'neutral' }],
  ['a number as text', '{"score":"0.5"}', { score: 0.5 }],
  ['a wrapper with one key', '{"result":{"score":1}}', { score: 1 }],
  ['a list of one', '[{"score":1}]', { score: 1 }],
  ['one item for a list', '{"newMemoryImprints":{"key":"k","value":1}}', { newMemoryImprints: [{ key: 'k', value: 1 }] }],
  ['null for something optional', '{"score":null,"updatedGmiMood":"neutral"}', { updatedGmiMood: 'neutral' }],
  ['the second value, which fits', '{"example":true} and {"score":0}', { score: 0 }],
  ['nothing to change', '{}', {}],
])('coerces by schema: %s', (_title, text, value) => {
  expect(extractJson(text, updates)).toEqual(value);
});

test.each([
  ['another scale', '{"score":85}'],
  ['an absurd number', '{"score":9.2e124}'],
  ['an unknown word', '{"updatedGmiMood":"helpful"}'],
  ['nothing recognised', '{"text":"x"}'],
  ['a list of something else', '[{"text":"x"}]'],
])('refuses what does not fit: %s', (_title, text) => {
  expect(codeOf(() => extractJson(text, updates))).toBe('json_schema_mismatch');
});

test('zod schemas give their type', () => {
  const value = extractJson('{"n":"4"}', z.object({ n: z.number() }));
  expect(value.n + 1).toBe(5);
});

test('prototype keys never arrive', () => {
  const value = extractJson('{"__proto__":{"polluted":1},"score":1}', updates) as Record<string, unknown>;
  expect(value.polluted).toBeUndefined();
  expect(Object.keys(value)).toEqual(['score']);
});

test('ten thousand open braces cost no more than a long text', () => {
  const started = performance.now();
  expect(codeOf(() => extractJson('{'.repeat(10_000)))).toBe('json_cut_off');
  expect(codeOf(() => extractJson('{"a":'.repeat(5_000)))).toBe('json_cut_off');
  expect(performance.now() - started).toBeLessThan(2_000);
});
