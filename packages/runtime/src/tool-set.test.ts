import type { ITool } from '@x/core';
import { expect, test } from 'vitest';
import { createToolSet } from './tool-set.js';

test.each([
  ['a list of types', { type: ['object', 'null'] }],
  ['properties that are a list', { type: 'object', properties: [] }],
  ['required that is no list', { type: 'object', required: 'q' }],
  ['a Standard Schema without a JSON form', { '~standard': { version: 1, vendor: 'zod', validate: () => ({ value: 1 }) } }],
])('a tool whose schema a model cannot be told is refused by its name at registration: %s (FR-237)', (_title, inputSchema) => {
  const tool: ITool = { name: 'search', description: '', inputSchema, execute: () => '' } as ITool;
  expect(() => createToolSet([tool])).toThrow(expect.objectContaining({ code: 'tool_invalid', tool: 'search' }));
});
