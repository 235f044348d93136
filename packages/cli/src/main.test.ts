import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { readPersona } from '@x/agentos';
import { afterEach, expect, test } from 'vitest';
import { openEndpoint } from './endpoint.js';
import { inspect } from './inspect.js';
import { main } from './main.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'x-cli-'));
  folders.push(folder);
  return folder;
}
async function agentos(argv: readonly string[], lines: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) {
  const written = { output: '', errors: '' };
  const sink = (name: 'output' | 'errors') =>
    new Writable({
      write(chunk, _encoding, done) {
        written[name] += String(chunk);
        done();
      },
    });
  const code = await main({
    argv,
    environment,
    input: Readable.from(lines.map((line) => `${line}\n`)),
    output: sink('output'),
    errors: sink('errors'),
    nowMs: Date.UTC(2026, 0, 1),
  });
  return { code, ...written };
}

test('help says every command, and no command is help', async () => {
  const { code, output } = await agentos([]);
  expect(code).toBe(0);
  for (const command of ['create', 'chat', 'dev', 'run', 'doctor', 'replay', 'why', 'beat']) expect(output).toContain(command);
});

test.each([
  [['fly']],
  [['chat', '--jsno']],
  [['create']],
  [['doctor']],
  [['replay']],
  [['why', 'turn-1', 'x']],
  [['replay', 'turn-1']],
  [['chat', 'no such folder']],
  [['run', 'no such folder']],
  [['dev', 'no such folder']],
  [['beat', 'no such folder']],
  [['run']],
  [['chat', '--db', 'x.sqlite']],
  [['create', 'a', 'b']],
])('%j is refused with exit code 2 and a reason', async (argv) => {
  const { code, errors } = await agentos(argv);
  expect(code).toBe(2);
  expect(errors.trim()).not.toBe('');
});

test('an option that a command does not take is refused by its name', async () => {
  const { code, errors } = await agentos(['beat', temporary(), '--session', 's']);
  expect([code, errors]).toEqual([2, 'beat takes no --session. See agentos --help.\n']);
});

test('a created folder passes the doctor, talks at once, and its beats are free while the checklist is empty', async () => {
  const folder = join(temporary(), 'ava');
  expect((await agentos(['create', folder])).code).toBe(0);
  const health = await agentos(['doctor', folder]);
  expect([health.code, health.output.includes('error')]).toEqual([0, false]);
  const talk = await agentos(['chat', folder, '--json'], ['Hello Ava, what is a loop?', '/quit']);
  expect(JSON.parse(talk.output.trim())).toMatchObject({ turn: 1, user: 'Hello Ava, what is a loop?' });
  const beats = await agentos(['beat', folder, '--simulate', '2d', '--json']);
  expect(JSON.parse(beats.output)).toMatchObject({ days: 2, free: true, costUsd: 0 });
  expect((await agentos(['create', folder])).code).toBe(2);
});

test('beats with a checklist have a price, and keep to the active hours', async () => {
  const folder = join(temporary(), 'ava');
  await agentos(['create', folder]);
  writeFileSync(join(folder, 'HEARTBEAT.md'), '- Say when the 3pm sync is due.\n');
  const { beats, free, costUsd } = JSON.parse((await agentos(['beat', folder, '--simulate', '1d', '--json'])).output);
  expect([free, costUsd > 0]).toEqual([false, true]);
  expect(beats.filter((at: string) => Number(at.slice(11, 13)) < 8 || Number(at.slice(11, 13)) >= 20)).toEqual([]);
});

test('the doctor names a dead element with a fix, and a missing folder is a fault', async () => {
  const folder = join(temporary(), 'ava');
  await agentos(['create', folder]);
  writeFileSync(
    join(folder, 'persona.yaml'),
    'contextualPromptElements:\n  - type: behavioral_guidance\n    content: Be kind.\n    criteria: { mood: patient }\n',
  );
  const { output } = await agentos(['doctor', folder]);
  expect(output).toContain('element_never_matches');
  expect(output).toContain('fix:');
  expect((await agentos(['doctor', join(folder, 'nowhere')])).code).toBe(3);
});

test('a piped talk in which a turn failed ends with exit code 1, with the code of the error in JSON', async () => {
  const { code, output } = await agentos(['chat', '--json'], ['Hello'], { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' });
  expect(JSON.parse(output)).toMatchObject({ code: 'model_unavailable' });
  expect(code).toBe(1);
});

test('the version is said, and a name with spaces is told so that it can be typed', async () => {
  expect((await agentos(['--version'])).output).toMatch(/^\d+\.\d+\.\d+\n$/);
  const folder = join(temporary(), 'ava two');
  expect((await agentos(['create', folder])).output).toContain(`agentos chat ${JSON.stringify(folder)}`);
});

test.each(['Ann: the 2nd', '007', 'no #1', 'true', 'null', '@bot', '"q"', "it's", '[x]', '1.10', 'Zoë'])(
  'a persona may be called %s',
  async (name) => {
    const folder = join(temporary(), name);
    expect((await agentos(['create', folder])).code).toBe(0);
    const title = name.replace(/^./, (letter) => letter.toUpperCase());
    const { persona, problems } = readPersona(folder);
    expect([persona.name, problems]).toEqual([title, []]);
  },
);

test.each(['dev', 'run', 'replay', 'why'])('%s --db refuses a file of another kind and leaves it alone', async (command) => {
  const folder = join(temporary(), 'ava');
  await agentos(['create', folder]);
  const notes = join(folder, 'MEMORY.md');
  const rest = command === 'replay' ? ['1', '--session', 's'] : command === 'why' ? ['1', '2', '--session', 's'] : [folder];
  const { code, errors } = await agentos([command, ...rest, '--db', notes]);
  expect([code, errors]).toEqual([2, expect.stringContaining('is no SQLite file')]);
  expect(readFileSync(notes, 'utf8')).toContain('<!--');
  if (command === 'dev' || command === 'run') expect((await agentos([command, ...rest, '--db', ''])).code).toBe(2);
});

test('names of the endpoint that are set to nothing count as not set', async () => {
  const { code, output } = await agentos(['chat'], ['/quit'], { OPENAI_API_KEY: ' ', OPENAI_BASE_URL: '', OPENAI_MODEL: '' });
  expect([code, output]).toEqual([0, expect.stringContaining('offline model')]);
  const named = await agentos(['chat'], ['/quit'], { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: ' ', OPENAI_MODEL: ' ' });
  expect([named.code, named.output]).toEqual([0, expect.stringContaining('gpt-4o-mini at OpenAI')]);
});

test('the inspector of a folder that is not there does not start', async () => {
  const options = { endpoint: await openEndpoint({}), personas: {}, dir: join(temporary(), 'nowhere'), say: () => undefined };
  await expect(inspect(options)).rejects.toMatchObject({ code: 'persona_dir_missing' });
  await options.endpoint.close();
});
