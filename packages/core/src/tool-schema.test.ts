import { expect, test } from 'vitest';
import * as z from 'zod';
import { readToolSchema } from './tool-schema.js';

test('a plain JSON Schema is made whole; a Standard Schema gives its own JSON form (FR-235)', () => {
  expect(readToolSchema({})).toEqual({ schema: { type: 'object', properties: {} } });
  expect(readToolSchema({ type: 'object', required: [] })).toEqual({ schema: { type: 'object', properties: {}, required: [] } });
  expect(readToolSchema(z.object({ q: z.string() }))).toMatchObject({
    schema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  });
});

test.each([
  [undefined, /must be a JSON Schema object/],
  [[], /must be a JSON Schema object/],
  [{ type: 'array' }, /must be of type object, not "array"/],
  [{ type: ['object', 'null'] }, /must be of type object, not \["object","null"\]/],
  [{ type: 'object', properties: [] }, /properties must be an object/],
  [{ type: 'object', properties: null }, /properties must be an object/],
  [{ type: 'object', required: 'q' }, /required must be a list of names/],
  [{ type: 'object', required: [1] }, /required must be a list of names/],
  [{ '~standard': { version: 1, vendor: 'zod', validate: () => ({ value: 1 }) } }, /has no JSON form/],
  [z.string(), /must be of type object/],
])('%j cannot be told to a model (FR-237)', (schema, problem) => {
  expect(readToolSchema(schema)).toEqual({ problem: expect.stringMatching(problem) });
});
