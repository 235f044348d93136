import type { ITool, ToolCall } from '@x/core';
import { expect, test } from 'vitest';
import { fitArguments } from './fit-arguments.js';
import { readArguments } from './tool-set.js';

const call = (args: unknown): ToolCall => ({ id: 'c', type: 'function', function: { name: 'find', arguments: JSON.stringify(args) } });
const tool = (inputSchema: unknown): ITool => ({ name: 'find', description: '', inputSchema, execute: () => '' });
const read = (args: unknown, inputSchema: unknown) => readArguments(call(args), tool(inputSchema));
const fit = (x: unknown, schema: object, required: readonly string[] = []) =>
  fitArguments({ x }, { type: 'object', properties: { x: schema }, required });

test.each([
  ['a number in a text', '200000', { type: 'integer' }, 200_000],
  ['a fraction in a text', '0.5', { type: 'number' }, 0.5],
  ['a truth in a text', 'True', { type: 'boolean' }, true],
  ['a list in a text', '["a.png"]', { type: 'array', items: { type: 'string' } }, ['a.png']],
  ['an object in a text', '{"a":"1"}', { type: 'object', properties: { a: { type: 'number' } } }, { a: 1 }],
  ['items in a text', [{ n: '4' }], { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } }, [{ n: 4 }]],
  ['a number for a text', 1.000001, { type: 'string' }, '1.000001'],
  ['one item for a list', 'a', { type: 'array', items: { type: 'string' } }, ['a']],
  ['a listed word in other letters', 'MERGE', { type: 'string', enum: ['merge', 'squash'] }, 'merge'],
  ['a number where null would do too', '7', { anyOf: [{ type: 'number' }, { type: 'null' }] }, 7],
])('%s is taken as what the schema names', (_title, given, schema, value) => {
  expect(fit(given, schema)).toEqual({ x: value });
});

test.each([
  ['a text that is one', '7', { type: 'string' }],
  ['a text that may be one', '7', { type: ['string', 'number'] }],
  ['words where a number is wanted', 'seven', { type: 'number' }],
  ['a fraction where a whole number is wanted', '1.5', { type: 'integer' }],
  ['a list where an object is wanted', '[1]', { type: 'object' }],
  ['what no schema speaks of', '7', {}],
  ['a choice with an open part', '7', { anyOf: [{ type: 'number' }, {}] }],
  ['a word of no list', 'rebase', { enum: ['merge', 'squash'] }],
  ['a word that two listed ones may be', 'aB', { enum: ['AB', 'ab'] }],
  ['a number that has lost digits, where a text is wanted', 2 ** 60, { type: 'string' }],
  ['a text of more digits than a number holds', '12345678901234567890', { type: 'integer' }],
  ['a text beyond all numbers', '1e999', { type: 'number' }],
  ['a list that is not JSON', "['a.png']", { type: 'array', items: { type: 'string' } }],
  ['an empty text', '', { type: 'array', items: { type: 'string' } }],
])('%s stays as it is', (_title, given, schema) => {
  const args = { x: given };
  expect(fitArguments(args, { type: 'object', properties: { x: schema } })).toBe(args);
});

test('null for what may be left out is left out, and stays where it is a value or wanted', () => {
  expect(fit(null, { type: 'string' })).toEqual({});
  expect(fit(null, { type: 'string' }, ['x'])).toEqual({ x: null });
  expect(fit(null, { type: ['string', 'null'] })).toEqual({ x: null });
  expect(fit(null, { anyOf: [{ type: 'string' }, { type: 'null' }] })).toEqual({ x: null });
  expect(fit(null, { enum: ['a', null] })).toEqual({ x: null });
  expect(fit(null, { enum: ['a'] })).toEqual({});
  expect(fit(null, {})).toEqual({ x: null });
  const args = JSON.parse('{"__proto__":null,"y":null}') as object;
  expect(fitArguments(args, { type: 'object', properties: { x: {} } })).toBe(args);
});

/** A schema library that wants `q` as a text and `limit`, where it is given, as a number. */
const library = (seen: unknown[] = []) => ({
  '~standard': {
    version: 1,
    vendor: 'x',
    jsonSchema: { input: () => ({ type: 'object', properties: { q: { type: 'string' }, limit: { type: 'number' } }, required: ['q'] }) },
    validate(value: { q?: unknown; limit?: unknown }) {
      seen.push(value);
      if (typeof value.q !== 'string') return { issues: [{ message: 'no text', path: ['q'] }] };
      if (!['undefined', 'number'].includes(typeof value.limit)) return { issues: [{ message: 'no number', path: [{ key: 'limit' }, 0] }] };
      return { value: { ...value, checked: true } };
    },
  },
});

test('a schema library sees the arguments first as they are, and once more in the form that it names', async () => {
  const seen: unknown[] = [];
  expect(await read({ q: 'cats', limit: null }, library(seen))).toEqual({ args: { q: 'cats', checked: true } });
  expect(await read({ q: 5, limit: '3' }, library(seen))).toEqual({ args: { q: '5', limit: 3, checked: true } });
  expect(await read({ q: 'cats', limit: 3 }, library(seen))).toEqual({ args: { q: 'cats', limit: 3, checked: true } });
  expect(seen).toEqual([{ q: 'cats', limit: null }, { q: 'cats' }, { q: 5, limit: '3' }, { q: '5', limit: 3 }, { q: 'cats', limit: 3 }]);
});

test('what does not fit is told with its place', async () => {
  expect(await read({ limit: 1 }, library())).toEqual({ problem: 'The arguments do not fit: q: no text.' });
  expect(await read({ q: 'a', limit: 'many' }, library())).toEqual({ problem: 'The arguments do not fit: limit.0: no number.' });
});

test('a plain schema checks nothing but what is missing, and its tool gets the form that it names', async () => {
  const schema = { type: 'object', properties: { q: { type: 'string' }, limit: { type: 'number' } }, required: ['q'] };
  expect(await read({ q: 'a', limit: '3', more: '4' }, schema)).toEqual({ args: { q: 'a', limit: 3, more: '4' } });
  expect(await read({ limit: 3 }, schema)).toEqual({ problem: 'Missing: q.' });
});
