import { expect, test } from 'vitest';
import { answerFrom, eventsOf, request } from './answer-from.test-helper.js';
import { openai } from './openai.js';
import { plainSchema } from './plain-schema.js';

const propertyOf = (schema: object, more: object = {}) =>
  plainSchema({ type: 'object', properties: { x: schema }, ...more }).properties['x'];

test.each([
  ['a bound that is excluded', { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 9 }, { type: 'integer', minimum: 1, maximum: 8 }],
  ['one of a fraction', { type: 'number', exclusiveMinimum: 0 }, { type: 'number', minimum: 0 }],
  ['a bound of its own', { type: 'number', exclusiveMinimum: 0, minimum: 2 }, { type: 'number', minimum: 2 }],
  ['a constant', { const: 'a' }, { type: 'string', enum: ['a'] }],
  ['a constant that is no text', { const: 5 }, { type: 'number' }],
  ['a choice of numbers', { type: 'integer', enum: [1, 2] }, { type: 'integer' }],
  ['a choice with nothing in it', { type: 'string', enum: ['a', ''] }, { type: 'string' }],
  ['a choice or null', { enum: ['a', null] }, { nullable: true, type: 'string', enum: ['a'] }],
  ['a list of types', { type: ['string', 'null'] }, { nullable: true, type: 'string' }],
  ['several types', { type: ['string', 'array'] }, { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }],
  ['several types with bounds', { type: ['string', 'number'], minimum: 0 }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
  ['several types with a choice', { type: ['string', 'number'], enum: ['a', 1] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
  [
    'an object or a text',
    { type: ['object', 'string'], properties: { a: { type: 'string' } } },
    { type: 'object', properties: { a: { type: 'string' } } },
  ],
  ['something or null', { anyOf: [{ type: 'number' }, { type: 'null' }], default: null }, { nullable: true, type: 'number' }],
  ['a choice of constants', { oneOf: [{ const: 'a' }, { const: 'b' }] }, { type: 'string', enum: ['a', 'b'] }],
  [
    'a choice of objects',
    { anyOf: [{ type: 'string' }, { type: 'object', properties: {} }], description: 'd' },
    {
      description: 'd',
      anyOf: [{ type: 'string' }, { type: 'object', properties: {} }],
    },
  ],
  ['a format that it does not know', { type: 'string', format: 'uri', minLength: 1 }, { type: 'string', minLength: 1 }],
  ['a format that it knows', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
  ['a list of whatever', { type: 'array' }, { type: 'array', items: { type: 'string' } }],
  ['a list of tuples', { type: 'array', prefixItems: [{ type: 'string' }], items: false }, { type: 'array', items: { type: 'string' } }],
  ['a map', { type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} }, { type: 'object' }],
  [
    'a name that is not there',
    { type: 'object', properties: { a: {} }, required: ['a', 'b'] },
    {
      type: 'object',
      properties: { a: {} },
      required: ['a'],
    },
  ],
  [
    'parts that all hold',
    {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'string' } } },
      ],
    },
    { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] },
  ],
  [
    'a property that is named like a word',
    { type: 'object', properties: { const: { type: 'string' }, $ref: { type: 'string' } } },
    {
      type: 'object',
      properties: { const: { type: 'string' }, $ref: { type: 'string' } },
    },
  ],
])('%s is said in the words that Google takes', (_title, schema, plain) => {
  expect(propertyOf(schema)).toEqual(plain);
});

test('a reference is written out, and one without end is cut', () => {
  const $defs = {
    'a/b': { type: 'string', description: 'inner' },
    node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, name: { type: 'string' } } },
  };
  expect(propertyOf({ $ref: '#/$defs/a~1b', description: 'outer' }, { $defs })).toEqual({ type: 'string', description: 'outer' });
  expect(propertyOf({ $ref: '#/$defs/node' }, { $defs })).toEqual({
    type: 'object',
    properties: { next: { type: 'object' }, name: { type: 'string' } },
  });
  expect(propertyOf({ $ref: '#/$defs/none' }, { $defs })).toEqual({ type: 'object' });
  expect(JSON.stringify(plainSchema({ type: 'object', properties: {}, $defs }))).toBe('{"type":"object","properties":{}}');
});

test('definitions that refer to each other are written out as deep as there is room for, each as deep as the others', () => {
  const names = Array.from({ length: 9 }, (_, index) => `D${index}`);
  const referring = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
  const $defs = Object.fromEntries(names.map((name) => [name, { type: 'object', properties: referring }]));
  const { properties } = plainSchema({ type: 'object', properties: referring, $defs });
  expect(JSON.stringify(properties).length).toBeLessThan(100_000);
  for (const name of names) expect(Object.keys((properties[name] as { properties: object }).properties)).toEqual(names);
});

test('where there is no room a reference still tells what it leads to', () => {
  const $defs = {
    tree: { type: 'object', properties: { name: { $ref: '#/$defs/text' }, children: { $ref: '#/$defs/trees' } } },
    trees: { type: 'array', items: { type: 'object', properties: { trees: { $ref: '#/$defs/trees' } } } },
    text: { type: 'string', maxLength: 9 },
  };
  const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`x${index}`, { $ref: '#/$defs/tree' }]));
  expect(plainSchema({ type: 'object', properties: { ...many, text: { $ref: '#/$defs/text' } }, $defs }).properties).toMatchObject({
    x0: { type: 'object' },
    text: { type: 'string', maxLength: 9 },
  });
  expect(propertyOf({ $ref: '#/$defs/trees' }, { $defs })).toEqual({
    type: 'array',
    items: { type: 'object', properties: { trees: { type: 'array', items: { type: 'object' } } } },
  });
});

const tools = [
  {
    name: 'find',
    description: '',
    inputSchema: { type: 'object', properties: { n: { type: 'integer', exclusiveMinimum: 0 } }, additionalProperties: false },
  },
];
const plain = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } };
const parametersIn = (sent: { readonly body: { readonly [field: string]: unknown } } | undefined) =>
  (sent?.body['tools'] as { function: { parameters: unknown } }[] | undefined)?.[0]?.function.parameters;
const done = { pieces: ['data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'] };

test('Gemini is told of tools in its own words, others in all of theirs until they refuse one', async () => {
  const gemini = answerFrom(done);
  await eventsOf(openai({ model: 'm', apiKey: 'k', provider: 'gemini', fetch: gemini.fetch }), { ...request, tools });
  expect(parametersIn(gemini.sent[0])).toEqual(plain);

  const refusal = `Invalid JSON payload received. Unknown name "exclusiveMinimum" at 'tools[0].function_declarations[0].parameters'`;
  const other = answerFrom({ status: 400, pieces: [JSON.stringify({ error: { message: refusal } })] }, done);
  const model = openai({ model: 'm', apiKey: 'k', baseUrl: 'https://proxy.example/v1', retries: 0, fetch: other.fetch });
  expect((await eventsOf(model, { ...request, tools })).thrown).toBeUndefined();
  await eventsOf(model, { ...request, tools });
  expect(other.sent.map(parametersIn)).toEqual([tools[0]?.inputSchema, plain, plain]);
});
