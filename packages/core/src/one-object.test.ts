import { expect, test } from 'vitest';
import * as z from 'zod';
import { readToolSchema } from './tool-schema.js';

const schemaOf = (given: unknown) => {
  const read = readToolSchema(given);
  return 'schema' in read ? read.schema : read.problem;
};

test('a union at the top is told as one object: providers refuse it there', () => {
  const preview = z.object({ mode: z.literal('preview'), path: z.string() });
  const apply = z.object({ mode: z.literal('apply'), path: z.string(), force: z.boolean().optional() });
  const expected = {
    type: 'object',
    properties: { mode: { type: 'string', enum: ['preview', 'apply'] }, path: { type: 'string' }, force: { type: 'boolean' } },
    required: ['mode', 'path'],
  };
  expect(schemaOf(z.discriminatedUnion('mode', [preview, apply]))).toEqual(expected);
  expect(schemaOf(z.union([preview, apply]))).toEqual(expected);
  expect(schemaOf(z.intersection(z.object({ a: z.string() }), z.object({ b: z.number().optional() })))).toMatchObject({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'number' } },
    required: ['a'],
  });
});

test('a choice beside properties demands what each of its parts demands', () => {
  const properties = { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } };
  const schema = {
    type: 'object',
    properties,
    required: ['c'],
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
    not: { required: ['d'] },
  };
  expect(schemaOf(schema)).toEqual({ type: 'object', properties, required: ['c'] });
  expect(schemaOf({ properties, oneOf: [{ required: ['a', 'b'] }, { required: ['b'] }] })).toEqual({
    type: 'object',
    properties,
    required: ['b'],
  });
});

test('a reference at the top is followed, and what is left refers to the same places', () => {
  const definitions = {
    Find: { type: 'object', properties: { q: { $ref: '#/definitions/Text' } }, required: ['q'] },
    Text: { type: 'string' },
  };
  expect(schemaOf({ $ref: '#/definitions/Find', definitions, $schema: 'x' })).toEqual({ ...definitions.Find, definitions });
  expect(schemaOf({ $ref: '#/definitions/Text', definitions })).toMatch(/must be of type object, not "string"/);
  const round = { $ref: '#/$defs/A', $defs: { A: { allOf: [{ $ref: '#/$defs/A' }], properties: { a: {} } } } };
  expect(schemaOf(round)).toEqual({ type: 'object', properties: { a: {} }, $defs: round.$defs });
});

test('a reference that many parts have is read once, for each of them', () => {
  const Common = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
  const branch = { allOf: [{ $ref: '#/$defs/Common' }] };
  expect(schemaOf({ anyOf: [branch, branch], $defs: { Common } })).toEqual({ ...Common, $defs: { Common } });
  const levels = Array.from({ length: 18 }, (_, level) => {
    const next = { $ref: level === 17 ? '#/$defs/Common' : `#/$defs/L${level + 1}` };
    return [`L${level}`, { anyOf: [next, next] }];
  });
  const $defs: { [name: string]: unknown } = { Common, ...Object.fromEntries(levels) };
  let read = 0;
  const last = $defs['L17'];
  Object.defineProperty($defs, 'L17', {
    enumerable: true,
    get() {
      read += 1;
      return last;
    },
  });
  expect(schemaOf({ $ref: '#/$defs/L0', $defs })).toMatchObject(Common);
  expect(read).toBeLessThan(10);
});

test('a property that parts tell in different ways is a choice of them', () => {
  const branch = (schema: object) => ({ type: 'object', properties: { v: schema } });
  const [text, number, list] = [{ type: 'string' }, { type: 'number' }, { type: 'array' }];
  expect(schemaOf({ anyOf: [branch(text), branch(number), branch(list), branch(text)] })).toMatchObject({
    properties: { v: { anyOf: [text, number, list] } },
  });
});

test('a union with a part that is no object is refused', () => {
  expect(schemaOf({ anyOf: [{ type: 'object' }, { type: 'string' }] })).toMatch(/must be of type object, not "string"/);
  expect(schemaOf(z.union([z.object({}), z.null()]))).toMatchObject({ type: 'object', properties: {} });
});
