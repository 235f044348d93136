import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Sender, Stored, ToolContext, Turn } from '@x/core';
import { expect, test } from 'vitest';
import { makeDir, read, writeFiles } from '../test/make-dir.js';
import { composeSoul } from './compose-soul.js';
import { memoryTool } from './memory-tool.js';
import { openMemory } from './open-memory.js';
import { senderNotes } from './open-soul.js';

/** A tool call within a turn of this sender. */
const turnOf = (sender?: Sender, id = 'turn-1', origin: Turn['origin'] = 'user'): ToolContext => {
  const input: Stored = { id: 'm', role: 'user', content: 'hi', origin, sender };
  return { turn: { id, origin, input, layout: { current: [input] } } as unknown as Turn };
};

test('add, replace and remove write the file and answer in the seed’s words', async () => {
  const dir = makeDir({ 'MEMORY.md': '- Likes green tea.\n' });
  const tool = memoryTool(dir);
  expect(await tool.execute({ action: 'add', text: 'Likes hiking' })).toEqual({
    output: 'ok (add → MEMORY.md); loads next session',
    isError: false,
  });
  expect(read(dir, 'MEMORY.md')).toBe('- Likes green tea.\n- Likes hiking\n');
  expect((await tool.execute({ action: 'replace', text: 'green tea', with: 'oolong' })).output).toBe(
    'ok (replace → MEMORY.md); loads next session',
  );
  expect((await tool.execute({ action: 'remove', text: '- Likes hiking\n' })).output).toBe('ok (remove → MEMORY.md); loads next session');
  expect(read(dir, 'MEMORY.md')).toBe('- Likes oolong.\n');
  expect(await tool.execute({ action: 'replace', text: 'nonexistent', with: 'x' })).toEqual({
    output: 'not found: nonexistent',
    isError: true,
  });
  expect((await tool.execute({ action: 'add', target: 'user', text: 'Prefers dark roast' })).output).toBe(
    'ok (add → USER.md); loads next session',
  );
  expect(read(dir, 'USER.md')).toBe('- Prefers dark roast\n');
  expect(composeSoul(dir).soul).toContain('Prefers dark roast');
});

test('adding the same again keeps one, whatever its spaces and case', async () => {
  const dir = makeDir();
  const tool = memoryTool(dir);
  await tool.execute({ action: 'add', text: 'Likes tea' });
  for (const text of ['Likes tea', '- likes  tea.', ' Likes\ttea ']) {
    expect(await tool.execute({ action: 'add', text })).toEqual({
      output: 'ok (add → MEMORY.md); loads next session; it was noted before',
      isError: false,
    });
  }
  expect(read(dir, 'MEMORY.md')).toBe('- Likes tea\n');
});

test('what is missing or unknown is named, and nothing is written', async () => {
  const dir = makeDir({ 'MEMORY.md': '- a\n', 'SOUL.md': 'Ava.' });
  const tool = memoryTool(dir);
  const answers: readonly (readonly [unknown, string])[] = [
    [undefined, 'The arguments must be an object.'],
    [{ text: 'x' }, 'unknown action: undefined. Use add, replace or remove.'],
    [{ action: 'merge', text: 'x' }, 'unknown action: merge. Use add, replace or remove.'],
    [{ old_string: 'a' }, 'unknown action: undefined. Use add, replace or remove.'],
    [{ action: 'add' }, 'add needs text: what to note.'],
    [{ action: 'add', text: ' \n' }, 'add needs text: what to note.'],
    [{ action: 'add', text: null }, 'add needs text: what to note.'],
    [{ action: 'add', text: { a: 1 } }, 'add needs text: what to note.'],
    [{ action: 'replace', new_text: 'x' }, 'replace needs text: the words that stand there now.'],
    [{ action: 'replace', text: 'a' }, 'replace needs with: the words to put there. To delete, use remove.'],
    [{ action: 'replace', text: 'a', with: '' }, 'replace needs with: the words to put there. To delete, use remove.'],
    [{ action: 'replace', text: 'a', content: 'b' }, 'replace needs with: the words to put there. To delete, use remove.'],
    [{ action: 'replace', text: '- ', with: 'Q' }, 'replace needs text: the words that stand there now.'],
    [{ action: 'replace', text: 'a', with: '- ' }, 'replace needs with: the words to put there. To delete, use remove.'],
    [{ action: 'remove', text: '\u200B-' }, 'remove needs text: the words that stand there now.'],
    [{ action: 'add', text: '- ' }, 'add needs text: what to note.'],
    [{ action: 'add', old_text: 'x' }, 'add needs text: what to note.'],
    ['{"action":', 'The arguments must be an object.'],
    [{ action: 'remove', text: '' }, 'remove needs text: the words that stand there now.'],
    [{ action: 'add', target: 'USER', text: 'x' }, 'unknown target: USER. Use self or user.'],
    [{ action: 'add', target: '../../x', text: 'x' }, 'unknown target: ../../x. Use self or user.'],
    [{ action: 'add', target: 'soul', text: 'x' }, 'unknown target: soul. Use self or user.'],
    [{ action: 'add', target: 'HEARTBEAT.md', text: 'x' }, 'unknown target: HEARTBEAT.md. Use self or user.'],
    [{ action: 'add', target: 'toString', text: 'x' }, 'unknown target: toString. Use self or user.'],
  ];
  for (const [args, output] of answers) expect(await tool.execute(args)).toEqual({ output, isError: true });
  expect(readdirSync(dir).sort()).toEqual(['MEMORY.md', 'SOUL.md']);
});

test.each([
  { action: 'replace', old_string: 'one', new_string: 'NEW' },
  { action: 'replace', old_text: 'one', content: 'NEW' },
  { action: 'replace', old_text: 'one', text: 'NEW' },
  { action: 'replace', old_str: 'one', new_str: 'NEW' },
  { action: 'replace', oldText: 'one', newText: 'NEW' },
  { action: 'replace', old_content: 'one', new_content: 'NEW' },
  { action: 'replace', oldString: 'one', newString: 'NEW' },
  { action: 'replace', find: 'one', replace: 'NEW' },
  { action: 'replace', text: 'one', new_text: 'NEW' },
  { action: 'replace', text: 'one', with: 'NEW', old_text: 'two' },
  { action: 'replace', target: 'memory', old_text: 'one', content: 'NEW' },
  { action: 'Update', text: 'one', with: 'NEW' },
  { action: 'edit', content: 'one', replacement: 'NEW' },
  { command: 'str_replace', old_str: 'one', new_str: 'NEW' },
  { old_string: 'one', new_text: 'NEW' },
  { old_text: 'one', content: 'NEW' },
  '{"action":"replace","text":"one","with":"NEW"}',
])('%j is a replacement in other words', async (args) => {
  const dir = makeDir({ 'MEMORY.md': '- one\n- two\n' });
  expect(await memoryTool(dir).execute(args)).toEqual({ output: 'ok (replace → MEMORY.md); loads next session', isError: false });
  expect(read(dir, 'MEMORY.md')).toBe('- NEW\n- two\n');
});

test.each([
  [{ action: 'ADD', text: 'c' }, '- one\n- c\n'],
  [{ action: 'create', content: 'c' }, '- one\n- c\n'],
  [{ operation: 'add', memory: 'c', target: 'memory' }, '- one\n- c\n'],
  [{ action: 'add', new_content: 'c' }, '- one\n- c\n'],
  [{ action: 'add', target: 'MEMORY.md', text: 'c' }, '- one\n- c\n'],
  [{ command: 'create', path: '/memories/c.md', file_text: 'c' }, '- one\n- c\n'],
  [{ command: 'insert', path: '/memories/c.md', insert_line: 1, insert_text: 'c' }, '- one\n- c\n'],
  [{ action: 'add', text: 'c\u0000\u001b[31m\u0007 d\u009b' }, '- one\n- c[31m d\n'],
  [{ action: 'delete', text: 'one' }, ''],
  [{ action: 'forget', oldText: 'one' }, ''],
  [{ action: 'remove', old_text: 'one', content: 'it is out of date' }, ''],
])('%j is an addition or a removal in other words', async (args, after) => {
  const dir = makeDir({ 'MEMORY.md': '- one\n' });
  expect((await memoryTool(dir).execute(args)).isError).toBe(false);
  expect(read(dir, 'MEMORY.md')).toBe(after);
});

test('the file that results of the tool name is understood as a target', async () => {
  const dir = makeDir();
  await memoryTool(dir).execute({ action: 'add', target: 'USER.md', text: 'Prefers dark roast' });
  expect(read(dir, 'USER.md')).toBe('- Prefers dark roast\n');
});

test('the schema demands no more than an action, so that a runtime lets other names for the texts through', () => {
  expect(memoryTool(makeDir()).inputSchema).toMatchObject({ required: ['action'] });
});

test('an ambiguous edit shows the candidates and changes nothing', async () => {
  const dir = makeDir({ 'MEMORY.md': '- lives in Oslo\n- born in Oslo\n' });
  const { output, isError } = await memoryTool(dir).execute({ action: 'replace', text: 'Oslo', with: 'Rome' });
  expect(isError).toBe(true);
  expect(output).toMatch(/^2 places match[^\n]*\n1\. - lives in Oslo\n2\. - born in Oslo$/);
  expect(read(dir, 'MEMORY.md')).toBe('- lives in Oslo\n- born in Oslo\n');
});

test('byte order mark, line breaks, list marker and bytes that are no text survive an add', async () => {
  const before = Buffer.concat([Buffer.from('\uFEFF# Notes\r\n* caf'), Buffer.from([0xe9]), Buffer.from('\r\n* b\r\n')]);
  const dir = makeDir({ 'MEMORY.md': before });
  await memoryTool(dir).execute({ action: 'add', text: 'two\nlines' });
  expect(Buffer.from(read(dir, 'MEMORY.md'), 'latin1').length).toBeGreaterThan(0);
  const { readFileSync } = await import('node:fs');
  expect(readFileSync(join(dir, 'MEMORY.md'))).toEqual(Buffer.concat([before, Buffer.from('* two\r\n  lines\r\n')]));
});

test('secrets are taken out before anything is written', async () => {
  const dir = makeDir({ 'MEMORY.md': '- port 1\n' });
  const tool = memoryTool(dir);
  const added = await tool.execute({ action: 'add', text: 'my db password is hunter2, key sk-abc123' });
  expect(added.output).toBe('ok (add → MEMORY.md); loads next session; 2 secrets were left out');
  await tool.execute({ action: 'replace', text: 'port 1', with: 'postgres://ava:hunter2@db:1' });
  const everything = [read(dir, 'MEMORY.md'), read(dir, '.persona/journal.jsonl')].join('\n');
  expect(everything).not.toMatch(/hunter2|sk-abc123/);
  expect(read(dir, 'MEMORY.md')).toBe('- postgres://ava:[redacted]@db:1\n- my db password is [redacted], key [redacted]\n');
});

test('a full file refuses with the free room and the largest entries, and twice in a turn is enough', async () => {
  const dir = makeDir({ 'MEMORY.md': `- ${'long '.repeat(18)}\n- short\n` });
  const tool = memoryTool(dir, { maxBytes: { self: 120 } });
  const first = await tool.execute({ action: 'add', text: 'x'.repeat(60) }, turnOf());
  expect(first.isError).toBe(true);
  expect(first.output).toMatch(/^MEMORY\.md is full: \d+ bytes are free and this needs 63\..*\n- 90 bytes: long/s);
  await tool.execute({ action: 'add', text: 'x'.repeat(50) }, turnOf());
  expect((await tool.execute({ action: 'add', text: 'x' }, turnOf())).output).toContain('Do not try again now');
  expect((await tool.execute({ action: 'remove', text: 'short' }, turnOf())).isError).toBe(false);
  expect((await tool.execute({ action: 'add', text: 'x' }, turnOf(undefined, 'turn-2'))).isError).toBe(false);
});

test('refusals are counted for each turn, also where turns alternate, and in a row where there is no turn', async () => {
  const dir = makeDir({ 'MEMORY.md': `- ${'x'.repeat(100)}\n` });
  const tool = memoryTool(dir, { maxBytes: { self: 120 } });
  const stopped: boolean[] = [];
  for (let call = 0; call < 6; call += 1) {
    const context = turnOf(undefined, call % 2 === 0 ? 'a' : 'b');
    stopped.push((await tool.execute({ action: 'add', text: 'y'.repeat(60 - call) }, context)).output.includes('twice'));
  }
  expect(stopped).toEqual([false, false, false, false, true, true]);
  const bare: boolean[] = [];
  for (let call = 0; call < 4; call += 1) bare.push((await tool.execute({ action: 'add', text: 'y'.repeat(60) })).output.includes('twice'));
  expect(bare).toEqual([false, false, true, true]);
  expect((await tool.execute({ action: 'remove', text: `- ${'x'.repeat(100)}\n` })).isError).toBe(false);
  expect((await tool.execute({ action: 'add', text: 'y'.repeat(60) })).isError).toBe(false);
  expect((await tool.execute({ action: 'add', text: 'z'.repeat(60) })).output).not.toContain('twice');
});

test('a file over the budget is never cut: it only refuses to grow', async () => {
  const dir = makeDir({ 'MEMORY.md': `- ${'x'.repeat(3 * 1_048_576)}\n- last fact\n` });
  const tool = memoryTool(dir);
  expect((await tool.execute({ action: 'add', text: 'more' })).isError).toBe(true);
  expect((await tool.execute({ action: 'replace', text: 'last fact', with: 'fact' })).isError).toBe(false);
  expect(read(dir, 'MEMORY.md').endsWith('\n- fact\n')).toBe(true);
});

test('links are followed neither to the file nor on the way to it', async () => {
  const outside = makeDir({ 'victim.md': 'mine\n' });
  const dir = makeDir();
  symlinkSync(join(outside, 'victim.md'), join(dir, 'MEMORY.md'));
  expect(await memoryTool(dir).execute({ action: 'add', text: 'x' })).toMatchObject({ isError: true });
  symlinkSync(outside, join(dir, 'inbox'));
  expect(await memoryTool(dir).execute({ action: 'add', text: 'x' }, turnOf({ id: 'bob', owner: false }))).toMatchObject({ isError: true });
  const linked = makeDir();
  symlinkSync(outside, join(linked, '.persona'));
  expect(await memoryTool(linked).execute({ action: 'add', text: 'x' })).toMatchObject({ isError: true });
  expect(read(outside, 'victim.md')).toBe('mine\n');
  expect(readdirSync(outside)).toEqual(['victim.md']);
});

test('a missing directory is made on the first write, but not behind a link', async () => {
  const parent = makeDir();
  await memoryTool(join(parent, 'new', 'one')).execute({ action: 'add', text: 'x' });
  expect(read(parent, 'new/one/MEMORY.md')).toBe('- x\n');
  const elsewhere = makeDir();
  symlinkSync(elsewhere, join(parent, 'linked'));
  const { isError, output } = await memoryTool(join(parent, 'linked', 'deep')).execute({ action: 'add', text: 'x' });
  expect(isError).toBe(true);
  expect(output).not.toContain(parent);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('no answer names a path of the machine', async () => {
  const dir = makeDir();
  mkdirSync(join(dir, 'MEMORY.md'));
  const { output, isError } = await memoryTool(dir).execute({ action: 'add', text: 'x' });
  expect(isError).toBe(true);
  expect(output).not.toContain(dir);
});

test('an empty file is empty notes; a damaged one is set aside and its copy takes its place', async () => {
  const dir = makeDir({ 'MEMORY.md': '' });
  const tool = memoryTool(dir);
  expect((await tool.execute({ action: 'add', text: 'first' })).output).toBe('ok (add → MEMORY.md); loads next session');
  await memoryTool(dir).execute({ action: 'add', text: 'second' });
  writeFiles(dir, { 'MEMORY.md': Buffer.concat([Buffer.from('- fir'), Buffer.alloc(20)]) });
  const { output } = await memoryTool(dir).execute({ action: 'add', text: 'third' });
  expect(output).toMatch(
    /^ok \(add → MEMORY\.md\); loads next session; the file was damaged and set aside; the copy of \d{4}-\d\d-\d\d took its place$/,
  );
  expect(read(dir, 'MEMORY.md')).toBe('- first\n- third\n');
  expect(readdirSync(join(dir, '.persona/aside'))).toHaveLength(1);
});

test('of a damaged file without a copy stays what can be read', async () => {
  for (const [bytes, kept] of [
    [Buffer.concat([Buffer.from('- first\n- sec'), Buffer.alloc(20)]), '- first\n- sec\n- third\n'],
    [Buffer.from('- first\n', 'utf16le'), '- first\n- third\n'],
    [Buffer.alloc(20), '- third\n'],
  ] as const) {
    const dir = makeDir({ 'MEMORY.md': bytes });
    expect((await memoryTool(dir).execute({ action: 'add', text: 'third' })).output).toBe(
      'ok (add → MEMORY.md); loads next session; the file was damaged and set aside; there was no copy, so what could be read of it stays',
    );
    expect([read(dir, 'MEMORY.md'), readdirSync(join(dir, '.persona/aside'))]).toEqual([kept, [expect.stringMatching(/^MEMORY\.md/)]]);
  }
});

test('a file in UTF-16 is left as it is', async () => {
  const bytes = Buffer.from('\uFEFF- a\n', 'utf16le');
  const dir = makeDir({ 'MEMORY.md': bytes });
  expect(await memoryTool(dir).execute({ action: 'add', text: 'x' })).toMatchObject({ isError: true });
  const { readFileSync } = await import('node:fs');
  expect(readFileSync(join(dir, 'MEMORY.md'))).toEqual(bytes);
});

test('the acknowledgement of a beat is never noted, neither added nor put in the place of something', async () => {
  const dir = makeDir({ 'MEMORY.md': '- real note\n' });
  const tool = memoryTool(dir);
  for (const text of [
    'HEARTBEAT_OK',
    '**HEARTBEAT_OK**',
    'Nothing to report. HEARTBEAT_OK',
    'Nothing to report.',
    '09:00 HEARTBEAT_OK',
    'HEARTBEAT_OK at 09:00',
    '2026-03-02 09:00: HEARTBEAT_OK, nothing to report',
    'Beat ran, answered HEARTBEAT_OK',
    'Heartbeat 09:00: all quiet, replied heartbeat_ok',
    'All quiet at the 09:00 heartbeat',
    'Always reply HEARTBEAT_OK',
  ]) {
    expect(await tool.execute({ action: 'add', text })).toMatchObject({ isError: true });
  }
  for (const text of ['HEARTBEAT_OK', '`HEARTBEAT_OK` at 09:00', 'Beat ran, answered HEARTBEAT_OK'])
    expect(await tool.execute({ action: 'replace', text: 'real note', with: text })).toMatchObject({ isError: true });
  expect(read(dir, 'MEMORY.md')).toBe('- real note\n');
  expect((await tool.execute({ action: 'add', text: 'Sam set MY_HEARTBEAT_OK_FLAG' })).isError).toBe(false);
  expect((await tool.execute({ action: 'replace', text: 'real note', with: 'nothing' })).isError).toBe(false);
});

test('what a stranger tells is kept apart until the owner promotes it', async () => {
  const dir = makeDir({ 'SOUL.md': 'Ava.', 'MEMORY.md': '- own\n' });
  const memory = openMemory(dir);
  const tool = memoryTool(dir, { notes: memory });
  const bob: Sender = { id: 'Bob@example.org', owner: false };
  const { output } = await tool.execute({ action: 'add', text: 'Sam owes Bob money' }, turnOf(bob));
  expect(output).toMatch(/^ok \(add → inbox\/bob-example-org~[0-9a-f]{16}\/MEMORY\.md\); loads next session; kept for this sender/);
  expect(composeSoul(dir).soul).not.toContain('owes');
  expect(senderNotes(dir, bob.id)).toContain('Sam owes Bob money');
  expect(senderNotes(dir, 'carol')).toBe('');
  await expect(memory.promote({ sender: bob.id, text: 'owes', by: { kind: 'user', sender: bob.id, owner: false } })).rejects.toMatchObject({
    code: 'not_owner',
  });
  await memory.promote({ sender: bob.id, text: 'owes' });
  expect(read(dir, 'MEMORY.md')).toBe('- own\n- Sam owes Bob money\n');
  expect(senderNotes(dir, bob.id)).toBe('');
  expect(memory.entries().at(-1)).toMatchObject({ text: 'Sam owes Bob money', by: { kind: 'host', owner: true } });
});

test('a turn of the owner that holds a stranger’s message writes to that stranger’s notes', async () => {
  const dir = makeDir();
  const context = turnOf({ id: 'sam', owner: true });
  const forwarded: Stored = { id: 'f', role: 'user', content: 'note this', origin: 'user', sender: { id: 'eve', owner: false } };
  const mixed = { turn: { ...context.turn, layout: { current: [context.turn!.input, forwarded] } } as unknown as Turn };
  await memoryTool(dir).execute({ action: 'add', target: 'user', text: 'Trust Eve' }, mixed);
  expect(read(dir, 'inbox/eve/USER.md')).toBe('- Trust Eve\n');
  await memoryTool(dir).execute({ action: 'add', text: 'own' }, context);
  expect(read(dir, 'MEMORY.md')).toBe('- own\n');
});

test('strangers can fill neither the disk nor one another’s notes', async () => {
  const dir = makeDir();
  const tool = memoryTool(dir, { maxSenders: 2, maxBytes: { sender: 40 } });
  for (const id of ['a', 'A'])
    expect((await tool.execute({ action: 'add', text: `from ${id}` }, turnOf({ id, owner: false }))).isError).toBe(false);
  expect(await tool.execute({ action: 'add', text: 'x' }, turnOf({ id: 'c', owner: false }))).toMatchObject({ isError: true });
  expect(await tool.execute({ action: 'add', text: 'y'.repeat(60) }, turnOf({ id: 'a', owner: false }))).toMatchObject({ isError: true });
  expect(new Set(readdirSync(join(dir, 'inbox')).map((name) => name.toLowerCase())).size).toBe(2);
});

test('author, time and turn are known of each entry and stand in no prompt', async () => {
  const dir = makeDir({ 'MEMORY.md': '- by hand\n' });
  const memory = openMemory(dir, { clock: { now: () => 1_700_000_000_000, setTimeout: () => () => undefined } });
  await memoryTool(dir, { notes: memory }).execute({ action: 'add', text: 'told' }, turnOf({ id: 'sam', owner: true }, 'turn-77'));
  expect(memory.entries()).toEqual([
    { text: 'by hand' },
    { text: 'told', by: { kind: 'user', sender: 'sam', owner: true }, atMs: 1_700_000_000_000, turn: 'turn-77' },
  ]);
  expect(composeSoul(dir).soul).not.toMatch(/turn-77|sam|1700000000000/);
});
