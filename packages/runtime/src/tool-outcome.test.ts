import type { ITool } from '@x/core';
import { createScriptedModel } from '@x/testkit';
import { expect, test } from 'vitest';
import { createClient } from './create-client.js';
import { createToolkit } from './create-toolkit.js';

const circle: { self?: unknown; size: number } = { size: 1 };
circle.self = circle;
const shared = { a: 1 };

async function recordOf(tool: Partial<ITool>) {
  const tools = [{ name: 'look', description: '', inputSchema: { type: 'object' }, execute: () => '', ...tool } as ITool];
  const client = createClient({ model: createScriptedModel([{ toolCalls: [{ name: 'look' }] }, 'done']) });
  const { status, toolCalls } = await client.ask('Look.', { toolkit: { tools: () => tools } });
  const kit = await createToolkit({ builtins: false, tools });
  return { status, output: toolCalls[0]?.output, isError: toolCalls[0]?.isError, direct: await kit.execute('look', {}) };
}

test.each([
  ['a plain object', { message: 'not connected', code: -32000 }, 'not connected'],
  ['an object without words', { code: 5 }, '{"code":5}'],
  ['several errors', new AggregateError([new Error('first'), new Error('second')]), 'first; second'],
  ['an error without words', new TypeError(''), 'TypeError'],
  ['nothing', undefined, 'undefined'],
])('a tool that throws %s tells what it was', async (_title, thrown, output) => {
  const execute = (): never => {
    throw thrown;
  };
  expect(await recordOf({ execute })).toEqual({ status: 'done', output, isError: true, direct: { output, isError: true } });
});

test.each([
  ['an error', new Error('no such file'), 'no such file', true],
  ['a failure in the shape of MCP', { content: [{ type: 'text', text: 'denied' }], isError: true }, 'denied', true],
  [
    'texts in the shape of MCP',
    {
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    'a\nb',
    false,
  ],
  [
    'a picture in the shape of MCP',
    {
      content: [
        { type: 'text', text: 'Here:' },
        { type: 'image', data: 'iVBORw0K', mimeType: 'image/png' },
      ],
      structuredContent: { result: 'iVBORw0K' },
    },
    'Here:\n(image, image/png, 6 bytes, not shown)',
    false,
  ],
  [
    'resources in the shape of MCP',
    {
      content: [
        { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'inside' } },
        { type: 'resource', resource: { uri: 'file:///b.pdf', blob: 'AAAA' } },
        { type: 'resource_link', uri: 'file:///c', name: 'c' },
        { type: 'audio', data: 'AAAA' },
      ],
    },
    'inside\n(resource file:///b.pdf, 3 bytes, not shown)\n(resource file:///c)\n(audio, 3 bytes, not shown)',
    false,
  ],
  ['parts of another kind', { content: [{ type: 'chart', rows: 2 }] }, '{"content":[{"type":"chart","rows":2}]}', false],
  ['a value that holds itself', circle, '{"size":1,"self":"(itself)"}', false],
  ['a value that holds another twice', [shared, shared], '[{"a":1},{"a":1}]', false],
  ['a big number', { rows: 10n }, '{"rows":"10"}', false],
  ['a map and a set', { map: new Map([['k', new Set([1])]]) }, '{"map":{"k":[1]}}', false],
  ['nothing', undefined, '', false],
])('a tool that gives %s has that as its result', async (_title, value, output, isError) => {
  expect(await recordOf({ execute: () => value as never })).toMatchObject({ status: 'done', output, isError });
});

test('a schema that throws while it checks refuses the arguments, and the turn goes on', async () => {
  const validate = (): never => {
    throw new Error('boom');
  };
  const inputSchema = { '~standard': { version: 1, vendor: 'x', validate, jsonSchema: { input: () => ({ type: 'object' }) } } } as never;
  expect(await recordOf({ inputSchema })).toMatchObject({
    status: 'done',
    isError: true,
    output: expect.stringContaining('do not fit: boom'),
  });
});
