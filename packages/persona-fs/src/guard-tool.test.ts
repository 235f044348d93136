import type { ITool } from '@x/core';
import { expect, test } from 'vitest';
import { guardTool } from './guard-tool.js';

/** What reaches a tool of this name when it is called with these arguments. */
function through(name: string, args: unknown): readonly unknown[] {
  const reached: unknown[] = [];
  class Tool {
    readonly name = name;
    readonly description = 'A tool.';
    readonly inputSchema = { type: 'object' };
    readonly timeoutMs = 5;
    execute(given: unknown): string {
      reached.push(given);
      return this.description;
    }
  }
  const guarded = guardTool(new Tool() as unknown as ITool);
  expect(guarded).toMatchObject({ name, description: 'A tool.', timeoutMs: 5 });
  void guarded.execute(args as never, {});
  return reached;
}

test.each([
  ['send', { text: 'HEARTBEAT_OK' }],
  ['send_message', { to: 'sam', message: '**HEARTBEAT_OK**' }],
  ['sendMessage', { content: 'All quiet. HEARTBEAT_OK' }],
  ['telegram-notify', { body: 'Nothing to report.' }],
  ['webhook', { payload: 'HEARTBEAT_OK' }],
  ['send', { to: 'sam', blocks: [{ type: 'section', text: { type: 'plain', text: 'HEARTBEAT_OK' } }] }],
  ['send', { message: { body: 'All quiet.' } }],
  ['send', { lines: ['HEARTBEAT_OK'] }],
  ['send', 'HEARTBEAT_OK'],
])('%s with %j is not called', (name, args) => {
  expect(through(name, args)).toEqual([]);
});

test.each([
  ['send', { text: 'The disk is full.' }],
  ['send', { text: '', photo: 'a.png' }],
  ['search', { text: 'nothing to report' }],
  ['search', { query: 'MY_HEARTBEAT_OK_FLAG' }],
  ['write', { path: 'a', content: 'Say HEARTBEAT_OK when the disk is fine and the oven is off.' }],
  ['memory', { action: 'remove', text: 'HEARTBEAT_OK' }],
  ['shell', { args: ['grep', 'HEARTBEAT_OK'] }],
  ['edit', { edits: [{ old: 'HEARTBEAT_OK', new: 'HEARTBEAT_QUIET' }] }],
  ['send', 'text'],
  ['send', null],
  ['send', { text: 'The disk is full.', sentAt: 5, tags: ['disk'], options: { silent: true, tries: null } }],
])('%s with %j is called as it is', (name, args) => {
  expect(through(name, args)).toEqual([args]);
});

test('what is said beside the token is said without it', () => {
  expect(through('send', { to: 'sam', text: 'The disk is full. HEARTBEAT_OK' })).toEqual([{ to: 'sam', text: 'The disk is full.' }]);
  expect(through('send', { text: 'See below', blocks: [{ text: 'The disk is full. HEARTBEAT_OK' }, { text: 'HEARTBEAT_OK' }] })).toEqual([
    { text: 'See below', blocks: [{ text: 'The disk is full.' }, { text: '' }] },
  ]);
});
