import { expect, test } from 'vitest';
import { createSchemaCache, toolSchemaOf } from './tool-schema.js';

const refused = (problem: RegExp) =>
  expect.objectContaining({ code: 'tool_schema_invalid', retryable: false, tool: 'search', message: expect.stringMatching(problem) });
const of = (inputSchema: unknown) => toolSchemaOf({ name: 'search', inputSchema });

test('a plain JSON Schema is taken as it is, and made whole where providers insist (FR-235)', () => {
  const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'], additionalProperties: false };
  expect(of(schema)).toEqual(schema);
  expect(of({})).toEqual({ type: 'object', properties: {} });
  expect(of({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' })).toEqual({ type: 'object', properties: {} });
});

test('a Standard Schema gives its own JSON form', () => {
  const json = { type: 'object', properties: { q: { type: 'string' } } };
  const targets: string[] = [];
  const input = ({ target }: { target: string }): object => {
    targets.push(target);
    return json;
  };
  const standard = { '~standard': { version: 1, vendor: 'x', validate: () => ({ value: 1 }), jsonSchema: { input } } };
  expect(of(standard)).toEqual(json);
  expect(of(Object.assign(() => undefined, standard))).toEqual(json);
  expect(targets).toEqual(['draft-2020-12', 'draft-2020-12']);
  expect(of({ '~standard': {}, toJsonSchema: () => json })).toEqual(json);
});

test.each([
  ['nothing', undefined, /must be a JSON Schema object or a Standard Schema/],
  ['a text', 'object', /must be a JSON Schema object or a Standard Schema/],
  ['another type (FR-237)', { type: 'string' }, /must be of type object/],
  ['a list of types (FR-237)', { type: ['object', 'null'] }, /must be of type object/],
  ['properties that are a list', { type: 'object', properties: [] }, /properties must be an object/],
  ['required that is no list', { type: 'object', required: 'q' }, /required must be a list of names/],
  ['properties that are none', { type: 'object', properties: 3 }, /properties must be an object/],
  ['a Standard Schema without a JSON form', { '~standard': { version: 1 } }, /no JSON form/],
  ['an empty JSON form (FR-306)', { '~standard': { jsonSchema: { input: () => ({}) } } }, /empty JSON form/],
  [
    'a JSON form that throws',
    {
      '~standard': {
        jsonSchema: {
          input: () => {
            throw new RangeError('secret detail');
          },
        },
      },
    },
    /cannot be written as JSON Schema \(RangeError\)/,
  ],
])('%s is refused by the tool’s name', (_title, schema, problem) => {
  expect(() => of(schema)).toThrow(refused(problem));
});

test('a schema is converted once', () => {
  let asked = 0;
  const inputSchema = {
    '~standard': {
      jsonSchema: {
        input: () => {
          asked += 1;
          return { type: 'object' };
        },
      },
    },
  };
  const schemaOf = createSchemaCache();
  const tool = { name: 'search', description: '', inputSchema };
  expect(schemaOf(tool)).toBe(schemaOf(tool));
  expect(asked).toBe(1);
});
