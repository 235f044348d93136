import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { isAgentosError } from '../errors.js';
import { coerceToSchema, extractJson, type JsonSchema } from './index.js';

const read = (schema: unknown): unknown => {
  try {
    return extractJson('{"a": 1}', schema as { readonly type: 'object' });
  } catch (error) {
    if (!isAgentosError(error)) throw error;
    return error;
  }
};
const standard = (validate: (value: unknown) => unknown): object => ({ '~standard': { version: 1, vendor: 'test', validate } });
const thenable = Object.fromEntries([['then', (done: (value: unknown) => void) => done({ value: 1 })]]);

test.each<[string, unknown]>([
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  ['a condition', { type: 'object', if: { required: ['a'] }, then: { required: ['b'] } }],
  ['a negation', { type: 'object', not: { required: ['a'] } }],
  ['a reference to nothing', { $ref: '#/$defs/none' }],
  ['a pattern that is none', { type: 'object', properties: { a: { type: 'string', pattern: '(' } } }],
  ['a zod schema that waits', z.object({ a: z.number().refine(async () => true) })],
  ['a zod check that throws', z.object({ a: z.number().refine(() => JSON.parse('{')) })],
  ['a schema that waits', standard(async () => ({ value: 1 }))],
  ['a schema whose wait fails', standard(() => Promise.reject(new Error('late')))],
  ["a schema that waits with another library's promise", standard(() => thenable)],
  ['a schema that throws', standard(() => JSON.parse('{'))],
  ['a schema that says nothing', standard(() => undefined)],
  ['a text', 'object'],
  ['an empty schema', {}],
])('%s is refused by a typed error', (_title, schema) => {
  expect(read(schema)).toMatchObject({ code: 'invalid_argument' });
});

test.each<[string, object]>([
  ['true, which takes anything', { type: 'object', properties: { a: true } }],
  ['true among choices', { type: 'object', properties: { a: { anyOf: [{ type: 'null' }, true] } } }],
  ['true for all items', { type: 'object', properties: { a: {}, b: { type: 'array', items: true } } }],
])('a schema inside another may be %s', (_title, schema) => {
  expect(read(schema)).toEqual({ a: 1 });
  expect(coerceToSchema({ A: 1 }, schema as JsonSchema)).toEqual({ a: 1 });
});

test('a schema that is a function works when it follows the convention', () => {
  const schema = Object.assign(
    () => {},
    standard((value) => ({ value })),
  );
  expect(read(schema)).toEqual({ a: 1 });
});

test('whatever comes as a schema, what is thrown is typed', () => {
  const key = fc.constantFrom(
    'type',
    'properties',
    '$ref',
    'not',
    'if',
    'then',
    'pattern',
    'enum',
    'items',
    'anyOf',
    '~standard',
    '_zod',
    'safeParse',
  );
  fc.assert(fc.property(fc.oneof(fc.anything(), fc.dictionary(key, fc.anything())), (schema) => void read(schema)));
});
