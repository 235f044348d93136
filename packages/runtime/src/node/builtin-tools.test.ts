import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultOf } from '@x/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createToolkit, type Toolkit } from '../create-toolkit.js';
import { confine } from './confine.js';

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'runtime-tools-')));
  root = join(base, 'root');
  mkdirSync(join(root, 'src', 'deep'), { recursive: true });
  writeFileSync(join(root, 'src', 'a.ts'), 'export const one = 1;\nexport const two = 2;\n');
  writeFileSync(join(root, 'src', 'deep', 'b.ts'), 'one two\n');
  writeFileSync(join(root, 'notes.md'), 'price: $1\r\nend\r\n');
  writeFileSync(join(base, 'secret.txt'), 'hidden');
  symlinkSync(base, join(root, 'up'));
  symlinkSync(join(base, 'secret.txt'), join(root, 'link.txt'));
  symlinkSync(join(base, 'not-there.txt'), join(root, 'dangling.txt'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const run = async (toolkit: Toolkit, name: string, args: unknown) => resultOf(await toolkit.execute(name, args));

test('by default there are three tools that only read', async () => {
  const toolkit = await createToolkit({ root });
  expect(toolkit.tools().map((tool) => tool.name)).toEqual(['read', 'glob', 'grep']);
  expect(toolkit.tools()).toBe(toolkit.tools());
});

test('a path out of the root has a code of its own', () => {
  expect(() => confine(root, '../secret.txt')).toThrow(expect.objectContaining({ code: 'outside_root', retryable: false }));
});

test.each(['../secret.txt', 'link.txt', 'up/secret.txt', '/etc/passwd', 'src/../../secret.txt', 'a\0b', 'dangling.txt'])(
  'a path out of the root is refused: %j',
  async (path) => {
    const toolkit = await createToolkit({ root, allowWrite: true });
    for (const [name, args] of [
      ['read', { path }],
      ['write', { path, content: 'x' }],
      ['edit', { path, old: 'hidden', new: 'x' }],
      ['glob', { pattern: '*', path }],
      ['grep', { pattern: 'hidden', path }],
    ] as const) {
      const { output, isError } = await run(toolkit, name, args);
      expect(isError).toBe(true);
      expect(output).not.toContain('hidden');
      expect(output.replaceAll(path, '')).not.toContain(base);
    }
    expect(readFileSync(join(base, 'secret.txt'), 'utf8')).toBe('hidden');
  },
);

test('read numbers lines and goes on by offset; grep and glob find, and do not follow links', async () => {
  const toolkit = await createToolkit({ root });
  expect(await run(toolkit, 'read', { path: 'src/a.ts', limit: 1 })).toEqual({
    output: '1\texport const one = 1;\n(lines 1 to 1 of 2; go on with offset 2)',
    isError: false,
  });
  expect((await run(toolkit, 'read', { path: 'src' })).output).toBe('src: It is not a regular file.');
  expect((await run(toolkit, 'glob', { pattern: '**/*.{ts,md}' })).output.split('\n').sort()).toEqual([
    'notes.md',
    'src/a.ts',
    'src/deep/b.ts',
  ]);
  expect((await run(toolkit, 'glob', { pattern: '*.txt' })).output).toBe('no files');
  expect((await run(toolkit, 'grep', { pattern: 'two', include: '*.ts' })).output).toBe(
    'src/a.ts:2: export const two = 2;\nsrc/deep/b.ts:1: one two',
  );
});

test('a pattern that would run for ever holds nothing up, and is answered', async () => {
  const toolkit = await createToolkit({ root });
  writeFileSync(join(root, 'slow.txt'), `${'ab'.repeat(13)}\n${'a'.repeat(100)}`);
  writeFileSync(join(root, 'a'.repeat(100)), '');
  let beats = 0;
  const clock = setInterval(() => {
    beats += 1;
  }, 20);
  const asked = [
    ['grep', { pattern: '^(a?b?){26}c$', path: 'slow.txt' }],
    ['grep', { pattern: '\\w+\\w+\\w+\\w+\\w+\\w+!', path: 'slow.txt' }],
    ['glob', { pattern: `${'*a'.repeat(12)}*b` }],
  ] as const;
  for (const answer of await Promise.all(asked.map(([name, args]) => run(toolkit, name, args)))) {
    expect(answer).toEqual({ output: expect.stringContaining('takes too long'), isError: true });
  }
  clearInterval(clock);
  expect(beats).toBeGreaterThan(20);
  const stop = new AbortController();
  const aborted = toolkit.execute('grep', { pattern: '^(a?b?){26}c$', path: 'slow.txt' }, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error('enough')), 200);
  expect(resultOf(await aborted)).toEqual({ output: 'enough', isError: true });
}, 15_000);

test('patterns of every form find what they say', async () => {
  const toolkit = await createToolkit({ root });
  for (const pattern of ['two|one', '(one) (two)', '^\\s*export', '[*+]x?', 'a{3}', '(a+)+$', '(.*)\\1', '\\s*const\\s+\\w+\\s*=\\s*'])
    expect((await run(toolkit, 'grep', { pattern })).isError).toBe(false);
  expect((await run(toolkit, 'grep', { pattern: 'TWO', ignoreCase: true, path: 'src/a.ts' })).output).toBe(
    'src/a.ts:2: export const two = 2;',
  );
  expect(await run(toolkit, 'grep', { pattern: '(' })).toMatchObject({ isError: true });
  expect(await run(toolkit, 'glob', { pattern: '[z-a]' })).toMatchObject({ isError: true });
});

test('edit wants one place, keeps dollar signs and line endings, and changes nothing on a miss', async () => {
  const toolkit = await createToolkit({ root, allowWrite: true });
  expect((await run(toolkit, 'edit', { path: 'src/a.ts', old: 'export', new: 'x' })).output).toContain('2 times');
  expect((await run(toolkit, 'edit', { path: 'src/a.ts', old: '', new: 'x' })).isError).toBe(true);
  expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toContain('export const one');
  await run(toolkit, 'edit', { path: 'notes.md', old: 'price: $1\nend', new: "cost: $& and $$\nend $'" });
  expect(readFileSync(join(root, 'notes.md'), 'utf8')).toBe("cost: $& and $$\r\nend $'\r\n");
  await run(toolkit, 'write', { path: 'new/file.txt', content: 'ok' });
  expect(readFileSync(join(root, 'new/file.txt'), 'utf8')).toBe('ok');
});

test('edits of one file at the same time lose nothing, however many there are', async () => {
  const toolkit = await createToolkit({ root, allowWrite: true });
  const count = 80;
  writeFileSync(join(root, 'many.txt'), Array.from({ length: count }, (_, index) => `line <${index}>\n`).join(''));
  const edits = Array.from({ length: count }, (_, index) =>
    run(toolkit, 'edit', { path: 'many.txt', old: `<${index}>`, new: `done ${index}` }),
  );
  expect((await Promise.all(edits)).filter(({ isError }) => isError)).toEqual([]);
  expect(readFileSync(join(root, 'many.txt'), 'utf8')).toBe(Array.from({ length: count }, (_, index) => `line done ${index}\n`).join(''));
});

test('edits of one file by two toolkits lose nothing either', async () => {
  const toolkits = [await createToolkit({ root, allowWrite: true }), await createToolkit({ root, allowWrite: true })];
  const numbers = Array.from({ length: 10 }, (_, index) => index);
  writeFileSync(join(root, 'many.txt'), numbers.map((number) => `line <${number}>\n`).join(''));
  const edits = numbers.map((number) =>
    run(toolkits[number % 2]!, 'edit', { path: 'many.txt', old: `<${number}>`, new: `done ${number}` }),
  );
  expect((await Promise.all(edits)).filter(({ isError }) => isError)).toEqual([]);
  expect(readFileSync(join(root, 'many.txt'), 'utf8')).toBe(numbers.map((number) => `line done ${number}\n`).join(''));
});

test('an edit of a file that is not UTF-8 is refused, and one that nobody may write is left alone', async () => {
  const toolkit = await createToolkit({ root, allowWrite: true });
  const latin = Buffer.from('caf\xe9 costs 1\n', 'latin1');
  writeFileSync(join(root, 'latin.txt'), latin);
  expect(await run(toolkit, 'edit', { path: 'latin.txt', old: 'costs 1', new: 'costs 2' })).toMatchObject({ isError: true });
  expect(readFileSync(join(root, 'latin.txt'))).toEqual(latin);
  writeFileSync(join(root, 'pinned.txt'), 'as it was');
  chmodSync(join(root, 'pinned.txt'), 0o444);
  for (const [name, args] of [
    ['write', { content: 'mine' }],
    ['edit', { old: 'as it was', new: 'mine' }],
  ] as const)
    expect(await run(toolkit, name, { path: 'pinned.txt', ...args })).toEqual({
      output: 'pinned.txt: It is marked as read-only.',
      isError: true,
    });
  expect(readFileSync(join(root, 'pinned.txt'), 'utf8')).toBe('as it was');
  chmodSync(join(root, 'src', 'a.ts'), 0o775);
  await run(toolkit, 'edit', { path: 'src/a.ts', old: 'one', new: 'uno' });
  expect(statSync(join(root, 'src', 'a.ts')).mode & 0o777).toBe(0o775);
});

test('grep tells what it did not search, and knows the ends of lines with carriage returns', async () => {
  const toolkit = await createToolkit({ root });
  expect((await run(toolkit, 'grep', { pattern: '^end$', path: 'notes.md' })).output).toBe('notes.md:2: end');
  writeFileSync(join(root, 'app.log'), 'x'.repeat(5_000_001));
  writeFileSync(join(root, 'data.jsonl'), `${'y'.repeat(3_000)}needle\n`);
  expect(await run(toolkit, 'grep', { pattern: 'needle', path: 'app.log' })).toEqual({
    output: 'app.log: It has 5000001 bytes; at most 5000000 can be read.',
    isError: true,
  });
  expect((await run(toolkit, 'grep', { pattern: 'needle' })).output).toBe(
    'no matches\n(1 files above 5000000 bytes were not searched)\n(of 1 lines only the first 2000 characters were searched)',
  );
});

test('what makes a persona is not written by these tools, by whatever name or link it is reached', async () => {
  mkdirSync(join(root, 'ava', '.persona'), { recursive: true });
  mkdirSync(join(root, 'ava', 'inbox', 'bob'), { recursive: true });
  const kept = ['SOUL.md', 'HEARTBEAT.md', 'MEMORY.md', 'persona.yaml', '.persona/journal.jsonl', 'inbox/bob/MEMORY.md'];
  for (const name of kept) writeFileSync(join(root, 'ava', name), 'as it was');
  symlinkSync(join(root, 'ava', 'SOUL.md'), join(root, 'plain.txt'));
  symlinkSync(join(root, 'ava'), join(root, 'folder'));
  for (const at of [root, join(root, 'ava'), join(root, 'ava', 'inbox')]) {
    const toolkit = await createToolkit({ root: at, allowWrite: true });
    const below = (name: string) => join(root, 'ava', name);
    for (const path of [...kept, 'memory.MD', 'USER.md', 'AGENTS.md', 'Persona.JSON', '.persona/new', '.Persona/x', 'inbox/eve/USER.md']) {
      for (const [name, args] of [
        ['write', { content: 'mine' }],
        ['edit', { old: 'as it was', new: 'mine' }],
      ] as const) {
        expect((await run(toolkit, name, { path: below(path), ...args })).isError).toBe(true);
        if (at === root) expect((await run(toolkit, name, { path: `folder/${path}`, ...args })).isError).toBe(true);
      }
    }
  }
  const toolkit = await createToolkit({ root, allowWrite: true });
  const { output } = await run(toolkit, 'write', { path: 'plain.txt', content: 'mine' });
  expect(output).toBe('plain.txt: It is part of a persona, and these tools do not write that. Notes go through the memory tool.');
  for (const name of kept) expect(readFileSync(join(root, 'ava', name), 'utf8')).toBe('as it was');
  for (const path of ['ava/todo.md', 'ava/notes/MEMORY.txt', 'AGENTS.md', 'README.md'])
    expect((await run(toolkit, 'write', { path, content: 'ok' })).isError).toBe(false);
});

test('the shell runs in the root without the environment of this process, ends late commands and cuts output', async () => {
  process.env['MY_API_KEY'] = 'leak-1';
  process.env['PLAIN_NAME'] = 'leak-2';
  const toolkit = await createToolkit({
    root,
    shell: { timeoutMs: 300, maxOutputChars: 100, env: { GREETING: 'hi', APP_TOKEN: 'leak-3' } },
  });
  const { output } = await run(toolkit, 'bash', { command: 'pwd; echo $GREETING; env | grep -c leak' });
  expect(output).toBe(`${root}\nhi\n0\n(exit 1)`);
  expect((await run(toolkit, 'bash', { command: 'sleep 60 & sleep 60' })).output).toBe('\n(stopped after 300 ms)');
  const long = await run(toolkit, 'bash', { command: 'yes | head -1000' });
  expect(long.output).toContain('output cut');
  expect(long.output.length).toBeLessThan(150);
  delete process.env['MY_API_KEY'];
  delete process.env['PLAIN_NAME'];
});

test('a long output loses its middle, however long it is', async () => {
  const toolkit = await createToolkit({ root, shell: true });
  const { output } = await run(toolkit, 'bash', { command: 'echo first; head -c 5000000 /dev/zero | tr "\\0" x; echo; echo last' });
  expect([output.startsWith('first\nx'), output.endsWith('x\nlast'), output.length < 31_000]).toEqual([true, true, true]);
});

test('a command ends with its shell: what it left in the background is ended too and not waited for', async () => {
  const toolkit = await createToolkit({ root, shell: true });
  const startMs = performance.now();
  const { output } = await run(toolkit, 'bash', { command: 'sleep 30 & echo $!' });
  expect(performance.now() - startMs).toBeLessThan(5_000);
  await expect.poll(() => isAlive(Number(output)), { timeout: 2_000 }).toBe(false);
});

test('a tool of its own time is given that time and a little more by who runs it', async () => {
  const toolkit = await createToolkit({ root, shell: true });
  expect(toolkit.get('bash')?.timeoutMs).toBeGreaterThan(120_000);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('a command stops when its turn is aborted', async () => {
  const toolkit = await createToolkit({ root, shell: true });
  const abort = new AbortController();
  const result = toolkit.execute('bash', { command: 'sleep 60' }, { signal: abort.signal });
  abort.abort(new Error('stop'));
  expect(resultOf(await result)).toEqual({ output: 'stop', isError: true });
});

test('the host takes the place of a built-in, and a name is not given twice later', async () => {
  const own = { name: 'read', description: '', inputSchema: {}, execute: () => 'mine' };
  const toolkit = await createToolkit({ root, tools: [own], builtins: { grep: false } });
  expect(toolkit.tools().map((tool) => tool.name)).toEqual(['glob', 'read']);
  expect(await toolkit.execute('read', {})).toBe('mine');
  expect(() => toolkit.register(own)).toThrow(expect.objectContaining({ code: 'tool_invalid' }));
  expect(await run(toolkit, 'nope', {})).toEqual({ output: 'Unknown tool: nope. Known tools: glob, read.', isError: true });
  await expect(createToolkit({ root: join(root, 'missing') })).rejects.toMatchObject({ code: 'invalid_argument' });
});
