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
  ['a picture in the shape of MCP', { content: [{ type: 'image', data: 'x' }] }, '{"content":[{"type":"image","data":"x"}]}', false],
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
