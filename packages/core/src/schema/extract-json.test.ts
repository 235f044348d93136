import fc from 'fast-check';
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
  ['a tag inside a string in a fence', '```json\n{"t":"a <think> tag opens"}\n```', { t: 'a <think> tag opens' }],
  ['a closing tag inside a string behind prose', 'Sure: {"t":"use </think> tag","b":2}', { t: 'use </think> tag', b: 2 }],
  ['an escaped apostrophe between single quotes', "{'t':'user\\'s dog'}", { t: "user's dog" }],
  ['an elision between single quotes', "{'a':'l\\'eau','b':1}", { a: "l'eau", b: 1 }],
  ['an escaped apostrophe and a bracket', '{"t":"it\\\'s {x"}', { t: "it's {x" }],
  ['a bracket between single quotes', "{'t':'a } b'}", { t: 'a } b' }],
  ['a raw line break in a string', '{"t":"a\nb"}', { t: 'a\nb' }],
  ['quotes that nobody escaped', '{"t":"he said "hi" to me"}', { t: 'he said "hi" to me' }],
  ['a path of Windows whose folders begin with n and t', '{"p":"C:\\new\\temp\\users"}', { p: 'C:\\new\\temp\\users' }],
  ['a pattern whose b is no backspace', '{"re":"\\bword\\d"}', { re: '\\bword\\d' }],
  ['a missing comma', '{"a":1 "b":2}', { a: 1, b: 2 }],
  ['comments with quotes in them', '{"a":1, // it\'s {\n /* " */ "b":2}', { a: 1, b: 2 }],
  ["Python's words", '{"a": True, "b": None}', { a: true, b: null }],
  ['after an open interval', 'On [0, 1) it is {"a":1}', { a: 1 }],
  ['after a quote that opens a bracket', 'He said "hi {" and then {"a":1}', { a: 1 }],
  ['after an empty object in prose', 'Use {} or {"a":1}', { a: 1 }],
  ['after a sketch with an ellipsis', 'As {"a": ...}: {"a":1}', { a: 1 }],
  ['as one string', '"{\\"a\\":1}"', { a: 1 }],
  ['as one string in a fence', '```json\n"{\\"a\\":1}"\n```', { a: 1 }],
  ['text between three quotes', '{"t":"""he said "hi",\nthen left""", "u":"v"}', { t: 'he said "hi",\nthen left', u: 'v' }],
  ['an empty text beside another', '{"t":"" ,"u":"\\"\\""}', { t: '', u: '""' }],
])('reads a value: %s', (_title, text, value) => {
  expect(extractJson(text)).toEqual(value);
});

test.each([
  ['nothing', 'no JSON here', 'json_not_found'],
  ['empty', '', 'json_not_found'],
  ['cut off inside a string', '{"t":"a, b, c', 'json_cut_off'],
  ['cut off between fields', '{"a":1,"b":', 'json_cut_off'],
  ['only inside thinking', '<think>{"a":1}</think> done', 'json_not_found'],
  ['inside thinking that never ends', '<think>maybe {"a":1} or not', 'json_not_found'],
  ['cut off before the last bracket', '{"mood":"empathetic","imprints":[]', 'json_cut_off'],
  ['cut off inside a string that ends in a bracket', '{"t":{"k":"v"},"u":"unfinished }', 'json_cut_off'],
  ['the inside of an object that was cut off', '{"a":{"b":1},"c":"d', 'json_cut_off'],
  ['the inside of a list that was cut off', '[{"text":"x"},{"text":"y', 'json_cut_off'],
  ['items of a list that was cut off', '{"ops":[{"a":1},{"b":', 'json_cut_off'],
  ['a bracket that is missing in the middle', '{"a":[{"b":1},"c":2}', 'json_cut_off'],
  ['a footnote before a value that was cut off', 'As in [1]: {"a":1,"b":', 'json_cut_off'],
  ['an ellipsis instead of the rest', '{"a":1, ...}', 'json_cut_off'],
  ['a cut value before a fence closes', '```json\n{"a":{"b":1},\n```', 'json_cut_off'],
  ['a place without a value', '{"a":,"b":2}', 'json_not_found'],
  ['a decimal comma', '{"score":0,5}', 'json_not_found'],
  ['half a number', '{"score":2e}', 'json_not_found'],
  ['no number', '{"score":NaN}', 'json_not_found'],
  ['a number that JSON cannot say', '{"a":{"b":1e999}}', 'json_schema_mismatch'],
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
  ['an enumeration with a full stop', '{"updatedGmiMood":"Neutral."}', { updatedGmiMood: 'neutral' }],
  ['an enumeration with an emoji', '{"updatedGmiMood":"🙂 Neutral ❤️"}', { updatedGmiMood: 'neutral' }],
  ['an enumeration in bold', '{"updatedGmiMood":"**neutral**"}', { updatedGmiMood: 'neutral' }],
  ['a blank text for an optional list', '{"updatedGmiMood":"neutral","newMemoryImprints":""}', { updatedGmiMood: 'neutral' }],
  ['an enumeration in full-width letters', '{"updatedGmiMood":"ｎeutral"}', { updatedGmiMood: 'neutral' }],
  ['a key under its own name beside a likeness', '{"score":0,"Score":1}', { score: 0, Score: 1 }],
])('coerces by schema: %s', (_title, text, value) => {
  expect(extractJson(text, updates)).toEqual(value);
});

test.each([
  ['another scale', '{"score":85}'],
  ['an absurd number', '{"score":9.2e124}'],
  ['an unknown word', '{"updatedGmiMood":"helpful"}'],
  ['nothing recognised', '{"text":"x"}'],
  ['a list of something else', '[{"text":"x"}]'],
  ['a list that was cut off inside a string', '{"newMemoryImprints":"[{\\"key\\""}'],
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

const facts = {
  type: 'object',
  properties: { facts: { type: 'array', items: { type: 'object', properties: { text: { type: 'string' } } } } },
};
const zodFacts = z.object({ facts: z.array(z.object({ text: z.string().optional() })) });

test.each([
  ['in a list', '{"facts":[{"content":"x"}]}', facts],
  ['in one item of a list', '{"facts":[{"content":"x"},{"text":"y"}]}', facts],
  ['in a list, by zod', '{"facts":[{"content":"x"}]}', zodFacts],
  ['in a list that is the value, by zod', '[{"fact":"x"}]', z.array(z.object({ text: z.string().optional() }))],
  [
    'in a list that may be null, by zod',
    '{"a":[{"fact":"x"}]}',
    z.object({ a: z.array(z.object({ text: z.string().optional() })).nullable() }),
  ],
  ['in an object inside', '{"o":{"no":1}}', z.object({ o: z.object({ yes: z.number().optional() }) })],
])('an object in which the schema knows nothing is a failure: %s (FR-186)', (_title, text, schema) => {
  expect(codeOf(() => extractJson(text, schema as typeof facts))).toBe('json_schema_mismatch');
});

test('keys that a schema leaves open are known', () => {
  const open = z.object({ o: z.looseObject({ yes: z.number().optional() }), map: z.record(z.string(), z.number()) });
  expect(extractJson('{"o":{"no":1},"map":{"x":1}}', open)).toEqual({ o: { no: 1 }, map: { x: 1 } });
  expect(extractJson('{"facts":[{}]}', facts)).toEqual({ facts: [{}] });
});

const memory = {
  type: 'object',
  properties: { memory: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } } },
  required: ['memory'],
};

test('a bare list is the one list that a schema demands (FR-185)', () => {
  expect(extractJson('["a","b"]', memory)).toEqual({ memory: [{ name: 'a' }, { name: 'b' }] });
  expect(extractJson('[{"name":"x"}]', memory)).toEqual({ memory: [{ name: 'x' }] });
  expect(extractJson('[{"memory":["x"]}]', memory)).toEqual({ memory: [{ name: 'x' }] });
});

test('a number that lost digits does not become a text, and a word with two readings stays as it is', () => {
  const ids = { type: 'object', properties: { id: { type: 'string' }, op: { enum: ['a_b', 'ab'] } } };
  expect(extractJson('{"id":42}', ids)).toEqual({ id: '42' });
  expect(codeOf(() => extractJson('{"id":12345678901234567890}', ids))).toBe('json_schema_mismatch');
  expect(codeOf(() => extractJson('{"op":"A-B"}', ids))).toBe('json_schema_mismatch');
});

test.each([
  ['<think>%</think>'],
  ['<Thinking>%</Thinking>'],
  ['<seed:think>%</seed:think>'],
  ['<|channel>thought\n%<channel|>'],
  ['<internal_monologue>%</internal_monologue>'],
  ['[THINK]%[/THINK]'],
  ['◁think▷%◁/think▷'],
  ['<|begin_of_thought|>%<|end_of_thought|>'],
  ['<|START_THINKING|>%<|END_THINKING|>'],
  ['<|channel|>analysis<|message|>%<|end|><|start|>assistant<|channel|>final<|message|>'],
])('nothing is read from thinking: %s (FR-178, FR-179)', (form) => {
  const [open = '', close = ''] = form.split('%');
  expect(extractJson(`${open}maybe {"d":1}${close}{"a":1}`)).toEqual({ a: 1 });
  expect(extractJson(`${open}one${close} ${open}{"d":"${close}"}${close}{"a":1}`)).toEqual({ a: 1 });
  expect(codeOf(() => extractJson(`${open}maybe {"d":1}${close} That is all.`))).toBe('json_not_found');
  expect(codeOf(() => extractJson(`${open}maybe {"d":1}`))).toBe('json_not_found');
  expect(extractJson(`maybe {"d": {"e":1}, then "${close}{"a":1}`)).toEqual({ a: 1 });
  expect(extractJson(`${open}5${close}7`, { type: 'number' })).toBe(7);
});

const json = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 });

test('what is written as JSON is read as it is, alone, in a fence and in prose', () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value);
      const same = JSON.parse(text) as unknown;
      expect(extractJson(text)).toEqual(same);
      expect(extractJson(`Here it is:\n\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\`\nGood luck.`)).toEqual(same);
      expect(extractJson(`<think>{"no":1}</think>Sure: ${text} That's it.`)).toEqual(same);
    }),
  );
});

test('wherever a value is cut off, nothing of it is read', () => {
  fc.assert(
    fc.property(json, fc.nat(), (value, at) => {
      const text = JSON.stringify(value);
      const cut = text.slice(0, 1 + (at % (text.length - 1)));
      expect(codeOf(() => extractJson(cut))).toMatch(/json_cut_off|json_not_found/);
      expect(codeOf(() => extractJson(`Answer: ${cut}`))).toMatch(/json_cut_off|json_not_found/);
    }),
  );
});

test('any text is read or refused with a code', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    ':',
    ',',
    '\\',
    ' ',
    '\n',
    'a',
    '1',
    '...',
    '//',
    '/*',
    '<think>',
    '</think>',
    '```',
    '“',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      expect(codeOf(() => extractJson(pieces.join('')))).toMatch(/^(?:none|json_\w+)$/);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['{'],
  ['{"a":'],
  ['{"a":1} '],
  ['{a b} '],
  ['['],
  ['[1,'],
  ['[1 '],
  ['`'],
  ['```\n'],
  ['"'],
  ['{"a":"'],
  ['"x" '],
  ['/*'],
  ['<'],
  ['<think>'],
  ['<|channel|>'],
  ['\\q'],
  [' '],
])('the time for a long text grows no faster than the text: %j', (piece) => {
  for (const text of [
    piece.repeat(200_000 / piece.length),
    `{"a":["${piece.repeat(200_000 / piece.length)}"]}`,
    `[${piece.repeat(200_000 / piece.length)}]`,
  ]) {
    const started = performance.now();
    codeOf(() => extractJson(text));
    expect(performance.now() - started).toBeLessThan(3_000);
  }
});

test('a field left blank is one left out, where a blank means nothing', () => {
  const schema = {
    type: 'object',
    properties: { mood: { enum: ['calm', 'glad'] }, level: { type: 'integer' }, done: { type: 'boolean' }, note: { type: 'string' } },
  };
  expect(extractJson('{"mood":"","level":" ","done":"","note":""}', schema)).toEqual({ note: '' });
  expect(codeOf(() => extractJson('{"mood":""}', { ...schema, required: ['mood'] }))).toBe('json_schema_mismatch');
  const blank = { type: 'object', properties: { mood: { enum: ['', 'calm'] } } };
  expect(extractJson('{"mood":""}', blank)).toEqual({ mood: '' });
});

test('a list of one is the item, where one item is wanted', () => {
  const schema = { type: 'object', properties: { mood: { enum: ['calm', 'glad'] }, score: { type: 'number' }, name: { type: 'string' } } };
  expect(extractJson('{"mood":["Calm"],"score":["0.5"],"name":["Ada"]}', schema)).toEqual({ mood: 'calm', score: 0.5, name: 'Ada' });
  expect(codeOf(() => extractJson('{"mood":["calm","glad"]}', schema))).toBe('json_schema_mismatch');
  expect(codeOf(() => extractJson('{"mood":[["calm"]]}', schema))).toBe('json_schema_mismatch');
});

test('what a model wrote as the arguments of a call is the value', () => {
  const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
  for (const reply of [
    '{"name":"respond","arguments":{"title":"T"}}',
    '{"name":"respond","parameters":{"title":"T"}}',
    '{"type":"tool_use","id":"c1","name":"respond","input":{"title":"T"}}',
    '{"id":"c1","type":"function","function":{"name":"respond","arguments":"{\\"title\\":\\"T\\"}"}}',
    '<tool_call>\n{"name": "respond", "arguments": {"title": "T"}}\n</tool_call>',
  ])
    expect(extractJson(reply, schema)).toEqual({ title: 'T' });
  expect(codeOf(() => extractJson('{"name":"respond","arguments":{"subject":"T"}}', schema))).toBe('json_schema_mismatch');
  const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  expect(extractJson('{"name":"respond","arguments":{"name":"T"}}', named)).toMatchObject({ name: 'respond' });
});

test('a list in a wrapper is the list that is wanted', () => {
  const texts = { type: 'array', items: { type: 'string' } };
  const facts = { type: 'array', items: { type: 'object', properties: { text: { type: 'string' }, tags: texts } } };
  expect(extractJson('{"items":["a","b"]}', texts)).toEqual(['a', 'b']);
  expect(extractJson('{"facts":[{"text":"a"}]}', facts)).toEqual([{ text: 'a' }]);
  expect(extractJson('{"tags":["a"]}', facts)).toEqual([{ tags: ['a'] }]);
  expect(codeOf(() => extractJson('{"items":["a"],"more":["b"]}', texts))).toBe('json_schema_mismatch');
});

test('a number may wear its plus', () => {
  expect(extractJson('{"a": +0.4, "b": +1, "c": +.5}')).toEqual({ a: 0.4, b: 1, c: 0.5 });
  expect(codeOf(() => extractJson('{"a": ++1}'))).toBe('json_not_found');
});

test('what is no text is refused with a code', () => {
  for (const none of [undefined, null, 5, {}, []]) expect(codeOf(() => extractJson(none as never))).toBe('invalid_argument');
});
