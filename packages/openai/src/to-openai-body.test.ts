import { type ChatMessage, type Layout, layoutMessages, type ModelRequest, type Stored, type ToolSpec } from '@x/core';
import { expect, test } from 'vitest';
import { adjustedRow } from './client-options.js';
import { providerRow, type Wire } from './provider-rows.js';
import { type Optional, refusedField, toOpenAIBody } from './to-openai-body.js';
import { toolSchemaOf } from './tool-schema.js';

interface Given {
  readonly provider?: string;
  readonly wire?: Partial<Wire>;
  readonly refused?: readonly Optional[];
  readonly reasoning?: string;
  readonly extraBody?: { readonly [field: string]: unknown };
}
function body(request: Partial<ModelRequest>, { provider = 'unknown', wire, refused = [], reasoning, extraBody }: Given = {}) {
  return toOpenAIBody(
    { messages: [], tools: [], ...request },
    {
      model: 'm',
      row: adjustedRow(providerRow(provider), { wire }),
      refused: new Set(refused),
      schemaOf: toolSchemaOf,
      thinkingOf: () => (reasoning === undefined ? undefined : { reasoning, details: [], extras: {} }),
      extraBody,
    },
  );
}
const messagesOf = (messages: readonly ChatMessage[], given?: Given): readonly unknown[] =>
  body({ messages }, given)['messages'] as unknown[];
const called = (args: string, id = 'call_1'): ChatMessage[] => [
  { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'add', arguments: args } }] },
  { role: 'tool', content: '3', tool_call_id: id },
];

test('only what a provider may see is sent, and only what was given', () => {
  expect(body({ messages: [{ id: 'm1', origin: 'user', sender: { id: 'u', owner: true }, role: 'user', content: 'Hi' }] })).toEqual({
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    stream: true,
    stream_options: { include_usage: true },
  });
});

test('the limit goes under exactly one name (FR-233)', () => {
  expect(body({ maxOutputTokens: 9 }, { provider: 'openai' })).toMatchObject({ max_completion_tokens: 9 });
  expect(body({ maxOutputTokens: 9 }, { provider: 'openai' })).not.toHaveProperty('max_tokens');
  expect(body({ maxOutputTokens: 9 }, { provider: 'ollama' })).toMatchObject({ max_tokens: 9 });
  expect(body({ maxOutputTokens: 9 }, { provider: 'ollama', refused: ['limit_name'] })).toMatchObject({ max_completion_tokens: 9 });
});

test('a limit among the further fields is the only one that is sent (FR-233)', () => {
  const sent = body({ maxOutputTokens: 9 }, { extraBody: { max_completion_tokens: 5 } });
  expect(sent).toMatchObject({ max_completion_tokens: 5 });
  expect(sent).not.toHaveProperty('max_tokens');
});

test('a name that a model made up is replayed in letters that are allowed', () => {
  for (const [name, sent] of [
    ['files.read all', 'files_read_all'],
    ['', 'unnamed'],
    ['x'.repeat(70), 'x'.repeat(64)],
  ] as const) {
    const [call] = called('{}');
    const made = { ...call!, tool_calls: [{ id: 'a', type: 'function' as const, function: { name, arguments: '{}' } }] };
    expect(messagesOf([made], { provider: 'openai' })[0]).toMatchObject({ tool_calls: [{ function: { name: sent } }] });
  }
});

test('an answer that says nothing is told as none, since an empty one is refused', () => {
  const answers: ChatMessage[] = ['', ' ', null, []].map((content) => ({ role: 'assistant', content }));
  for (const provider of ['mistral', 'openai'])
    expect(messagesOf(answers, { provider })).toEqual(answers.map(() => ({ role: 'assistant', content: '(no answer)' })));
});

test('a result that says nothing is told as none, since a blank one is refused with all that follows', () => {
  for (const content of ['', '\r\n', null, [], [{ type: 'text' as const, text: ' ' }]])
    expect(messagesOf([called('{}')[0]!, { role: 'tool', content, tool_call_id: 'call_1' }])[1]).toMatchObject({ content: '(no output)' });
  expect(messagesOf([called('{}')[0]!, { role: 'tool', content: ' x\n', tool_call_id: 'call_1' }])[1]).toMatchObject({ content: ' x\n' });
});

test('a list of texts goes as one text, and a list with a picture as it is (DeepSeek)', () => {
  const text = (value: string) => ({ type: 'text' as const, text: value });
  const picture = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA==' } };
  for (const role of ['system', 'user', 'assistant'] as const)
    expect(messagesOf([{ role, content: [text('a'), text('b')] }])).toEqual([{ role, content: 'a\nb' }]);
  expect(messagesOf([{ role: 'tool', content: [text('a'), text('b')], tool_call_id: 'x' }])).toMatchObject([{ content: 'a\nb' }]);
  expect(messagesOf([{ role: 'user', content: [text('a'), picture] }])).toEqual([{ role: 'user', content: [text('a'), picture] }]);
  const marked = [{ ...text('a'), cache_control: { type: 'ephemeral' } }, text('b')];
  expect(messagesOf([{ role: 'user', content: marked }])).toEqual([{ role: 'user', content: marked }]);
  const odd = [null, { type: 'text' }] as unknown as ChatMessage['content'];
  expect(messagesOf([{ role: 'user', content: odd }])).toEqual([{ role: 'user', content: odd }]);
});

test('a message of the user without words has words that say so, and a blank text beside a picture is left out', () => {
  const picture = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA==' } };
  for (const content of ['', ' \n', null, [{ type: 'text' as const, text: '' }]])
    expect(messagesOf([{ role: 'user', content }])).toEqual([{ role: 'user', content: '(a message without text)' }]);
  expect(messagesOf([{ role: 'user', content: [{ type: 'text', text: '' }, picture] }])).toEqual([{ role: 'user', content: [picture] }]);
});

test('where calls of the talk are refused without their tools, these stand in and may not be called (Bedrock)', () => {
  const sent = body({ messages: called('{}') });
  for (const words of [
    'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
    "litellm.UnsupportedParamsError: Bedrock doesn't support tool calling without `tools=` param specified.",
  ])
    expect(refusedField(words, sent)).toBe('tools_wanted');
  expect(body({ messages: called('{}') }, { refused: ['tools_wanted'] })).toMatchObject({
    tools: [{ type: 'function', function: { name: 'add', parameters: { type: 'object', properties: {} } } }],
    tool_choice: 'none',
  });
  const tools = [{ name: 'list', description: '', inputSchema: {} }];
  expect(body({ messages: called('{}'), tools }, { refused: ['tools_wanted'] })).not.toHaveProperty('tool_choice');
  expect(body({ messages: [{ role: 'user', content: 'Hi' }] }, { refused: ['tools_wanted'] })).not.toHaveProperty('tools');
});

test('a note behind an answer that says nothing still opens its message', () => {
  const message = (id: string, role: 'user' | 'assistant', content: string): Stored => ({ id, role, content, origin: role });
  const layout: Layout = {
    stable: {},
    tools: [],
    volatile: {},
    history: [message('1', 'user', 'a'), message('2', 'assistant', '')],
    blocks: [{ before: '3', part: 'state', text: 'mood: calm' }],
    current: [message('3', 'user', 'b')],
  };
  const [, ...talk] = messagesOf(layoutMessages(layout, providerRow('mistral').capabilities).messages, { provider: 'mistral' });
  expect(talk).toEqual([
    { role: 'user', content: 'a' },
    { role: 'assistant', content: '(no answer)' },
    { role: 'user', content: expect.stringMatching(/^<<note-.*mood: calm\n.*b$/s) },
  ]);
});

test('an id that OpenAI would refuse is shortened, the same for call and result (FR-201)', () => {
  const [call, result] = messagesOf(called('{}', 'x'.repeat(41)), { provider: 'openai' }) as [
    { tool_calls: { id: string }[] },
    { tool_call_id: string },
  ];
  expect(call.tool_calls[0]?.id).toMatch(/^call_\w{14}$/);
  expect(result.tool_call_id).toBe(call.tool_calls[0]?.id);
  expect(messagesOf(called('{}', 'y'.repeat(41)))).not.toEqual(messagesOf(called('{}', 'x'.repeat(41))));
  expect(messagesOf(called('{}', 'x'.repeat(40)))[1]).toMatchObject({ tool_call_id: 'x'.repeat(40) });
});

test('a tool without a description has an empty one (FR-235)', () => {
  const tools = [{ name: 'add', inputSchema: {} } as unknown as ToolSpec];
  expect(body({ tools })['tools']).toMatchObject([{ function: { name: 'add', description: '' } }]);
});

test('a developer message goes as system where developer is not known (FR-231)', () => {
  const messages: ChatMessage[] = [{ role: 'developer', content: 'note' }];
  expect(messagesOf(messages, { provider: 'openai' })).toEqual([{ role: 'developer', content: 'note' }]);
  expect(messagesOf(messages)).toEqual([{ role: 'system', content: 'note' }]);
  expect(messagesOf(messages, { provider: 'openai', refused: ['developer'] })).toEqual([{ role: 'system', content: 'note' }]);
});

test('a message that only calls tools keeps its place, with null or empty content by row (FR-227, FR-229)', () => {
  expect(messagesOf(called('{}'), { provider: 'openai' })[0]).toMatchObject({ content: null, tool_calls: [{ id: 'call_1' }] });
  expect(messagesOf(called('{}'))[0]).toMatchObject({ content: '', tool_calls: [{ id: 'call_1' }] });
  const bare = called('{}').map(({ content: _left, ...message }) => message) as unknown as ChatMessage[];
  expect(messagesOf(bare, { provider: 'openai' })[0]).toMatchObject({ content: null, tool_calls: [{ id: 'call_1' }] });
  expect(messagesOf([{ role: 'assistant' } as ChatMessage])).toEqual([{ role: 'assistant', content: '(no answer)' }]);
});

test('blank arguments are replayed as {} and broken ones inside JSON (FR-203)', () => {
  const replayed = (args: string, given?: Given): unknown =>
    (messagesOf(called(args), given)[0] as { tool_calls: { function: { arguments: string } }[] }).tool_calls[0]?.function.arguments;
  expect(replayed('')).toBe('{}');
  expect(replayed('{"a": 1')).toBe('{"unparseable":"{\\"a\\": 1"}');
  expect(replayed('[1]')).toBe('{"unparseable":"[1]"}');
  expect(replayed('{"a": 1', { provider: 'openai' })).toBe('{"a": 1');
});

test('ids are nine letters and digits where that is demanded, the same for call and result (FR-201)', () => {
  const [call, result] = messagesOf([...called('{}', 'call_long-id')], { provider: 'mistral' }) as [
    { tool_calls: { id: string }[] },
    { tool_call_id: string },
  ];
  expect(call.tool_calls[0]?.id).toMatch(/^[A-Za-z0-9]{9}$/);
  expect(result.tool_call_id).toBe(call.tool_calls[0]?.id);
  const other = messagesOf(called('{}', 'call_other'), { provider: 'mistral' }) as [{ tool_calls: { id: string }[] }];
  expect(other[0].tool_calls[0]?.id).not.toBe(call.tool_calls[0]?.id);
  const kept = messagesOf(called('{}', 'D681PevKs'), { provider: 'mistral' }) as [{ tool_calls: { id: string }[] }];
  expect(kept[0].tool_calls[0]?.id).toBe('D681PevKs');
});

test('reasoning is sent back only where it is wanted (FR-222, FR-223)', () => {
  expect(messagesOf(called('{}'), { provider: 'deepseek', reasoning: 'hm' })[0]).toMatchObject({ reasoning_content: 'hm' });
  expect(messagesOf(called('{}'), { reasoning: 'hm' })[0]).not.toHaveProperty('reasoning_content');
  expect(messagesOf([{ role: 'assistant', content: 'x' }], { provider: 'deepseek', reasoning: 'hm' })[0]).toEqual({
    role: 'assistant',
    content: 'x',
  });
});

test('halves of a surrogate pair do not leave the process (FR-049)', () => {
  const parts = [{ type: 'text' as const, text: 'b\udc00' }];
  const sent = JSON.stringify(
    messagesOf([
      { role: 'user', content: 'a\ud83d' },
      { role: 'user', content: parts },
      { role: 'tool', content: '\ud83d\ude00\ud83d', tool_call_id: 'x' },
    ]),
  );
  expect(sent).toContain('a\ufffd');
  expect(sent).toContain('b\ufffd');
  expect(sent).toContain('😀\ufffd');
  expect(sent).not.toMatch(/\\ud[89a-f]/i);
});

test('tools come with their schema; an output schema only where it is enforced', () => {
  const tools = [{ name: 'add', description: 'Adds.', inputSchema: {} }];
  expect(body({ tools })['tools']).toEqual([
    { type: 'function', function: { name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} } } },
  ]);
  expect(body({})).not.toHaveProperty('tools');
  expect(body({ outputSchema: { type: 'object' } })).not.toHaveProperty('response_format');
  expect(body({ outputSchema: { type: 'object' } }, { provider: 'openai' })['response_format']).toEqual({
    type: 'json_schema',
    json_schema: { name: 'reply', schema: { type: 'object' } },
  });
});

test('Gemini is told of the reply in its own words too, and one that refuses the schema of the reply gets none', () => {
  const outputSchema = {
    type: 'array',
    items: { type: 'object', properties: { n: { const: 'a' } }, additionalProperties: false },
    $schema: 'x',
  };
  expect(body({ outputSchema }, { provider: 'gemini' })['response_format']).toMatchObject({
    json_schema: { schema: { type: 'array', items: { type: 'object', properties: { n: { type: 'string', enum: ['a'] } } } } },
  });
  const sent = body({ outputSchema }, { provider: 'gemini' });
  for (const words of [
    `Unknown name "propertyNames" at 'generation_config.response_schema.items': Cannot find field.`,
    "Function calling with a response mime type: 'application/json' is unsupported",
  ])
    expect(refusedField(words, sent)).toBe('response_format');
});

test('a result tells the name of its tool where the endpoint asks for it (Gemini)', () => {
  expect(messagesOf(called('{}'), { provider: 'gemini' })[1]).toEqual({ role: 'tool', tool_call_id: 'call_1', name: 'add', content: '3' });
  expect(messagesOf(called('{}'), { refused: ['result_names'] })[1]).toMatchObject({ name: 'add' });
  for (const provider of ['openai', 'mistral', 'unknown']) expect(messagesOf(called('{}'), { provider })[1]).not.toHaveProperty('name');
  for (const words of [
    '* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.',
    "Tool message must have a 'name' field. The 'name' field is required to match the tool call",
  ])
    expect(refusedField(words, body({ messages: called('{}') }))).toBe('result_names');
});

test('further fields win', () => {
  expect(body({ temperature: 0.3 }, { extraBody: { temperature: 1, seed: 7 } })).toMatchObject({ temperature: 1, seed: 7 });
});

test('a refusal is read as being about one field', () => {
  const sent = { stream_options: {}, temperature: 0.3, max_tokens: 5, response_format: {} };
  expect(refusedField('Unknown field stream_options', sent)).toBe('stream_options');
  expect(
    refusedField("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", sent),
  ).toBe('limit_name');
  expect(refusedField("Unsupported value: 'temperature' does not support 0.3", sent)).toBe('temperature');
  expect(refusedField('response_format is not supported', sent)).toBe('response_format');
  expect(refusedField('unknown variant `developer`', sent)).toBe('developer');
  const withTools = { ...sent, tools: [{}] };
  for (const words of [
    `Invalid JSON payload received. Unknown name "exclusiveMinimum" at 'tools[0].function_declarations[6].parameters.properties[3].value': Cannot find field.`,
    "Invalid schema for function 'find': In context=('properties', 'x'), 'propertyNames' is not permitted.",
    'Tool schema uses unsupported keyword: $ref is not supported',
    '* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[u].format: only enum and date-time are supported',
  ]) {
    expect(refusedField(words, withTools)).toBe('schema_keywords');
    expect(refusedField(words, sent)).toBeUndefined();
  }
  for (const words of ['Invalid image', 'tool_choice is not supported', "Invalid 'tools': array too long", 'the tool find is not known'])
    expect(refusedField(words, withTools)).toBeUndefined();
  expect(refusedField('Invalid image', sent)).toBeUndefined();
  expect(refusedField('temperature', {})).toBeUndefined();
});
