import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScriptedModel, createVirtualClock } from '@x/testkit';
import { afterEach, expect, test } from 'vitest';
import { agents } from './agents.js';

const folders: string[] = [];
function folder(files: { readonly [name: string]: string }): string {
  const dir = mkdtempSync(join(tmpdir(), 'x-agents-'));
  folders.push(dir);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}
afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
});
const AVA = { 'SOUL.md': 'You are Ava.', 'HEARTBEAT.md': '- Say when a sync is due.\n', 'MEMORY.md': '- Likes tea.\n' };
const MINUTE = 60_000;

test('a directory answers with its soul in front', async () => {
  const model = createScriptedModel(['Hello.']);
  const ava = agents.fromDir(folder(AVA), { name: 'ava' });
  const result = await ava.run('Hi', { model });
  expect([result.status, result.text, ava.name]).toEqual(['done', 'Hello.', 'ava']);
  expect(String(model.requests[0]?.messages[0]?.content)).toContain('You are Ava.');
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['memory']);
});

test('a persona that may not write has no memory tool', async () => {
  const model = createScriptedModel(['Hello.']);
  await agents.fromDir(folder(AVA), { memory: false }).run('Hi', { model });
  expect(model.requests[0]?.tools).toEqual([]);
});

test('a beat that has something to say is heard, a quiet one is not, and each reads the soul anew', async () => {
  const dir = folder(AVA);
  const clock = createVirtualClock(0);
  const model = createScriptedModel(['HEARTBEAT_OK', 'The 3pm sync is due.', { toolCalls: [{ name: 'heartbeat_ok', arguments: {} }] }, '']);
  const heard: string[] = [];
  const started = agents.startAgent(agents.fromDir(dir), { model, clock }, { everyMs: MINUTE, onBeat: (text) => void heard.push(text) });
  await clock.advance(MINUTE);
  writeFileSync(join(dir, 'MEMORY.md'), '- Likes coffee.\n');
  await clock.advance(MINUTE);
  await clock.advance(MINUTE);
  await started.stop();
  expect([heard, started.beats, started.errors]).toEqual([['The 3pm sync is due.'], ['The 3pm sync is due.'], []]);
  const souls = model.requests.map(({ messages }) => /Likes (tea|coffee)/.exec(String(messages[0]?.content))?.[1]);
  expect(souls.slice(0, 2)).toEqual(['tea', 'coffee']);
  expect(model.requests[1]?.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
});

test('beats read the soul anew also while the same agent runs elsewhere', async () => {
  const dir = folder(AVA);
  const clock = createVirtualClock(0);
  const model = createScriptedModel(() => 'The 3pm sync is due.');
  const ava = agents.fromDir(dir);
  const started = agents.startAgent(ava, { model, clock }, { everyMs: MINUTE });
  await ava.run('Hi', { model });
  const other = ava.createRuntime({ model });
  writeFileSync(join(dir, 'MEMORY.md'), '- Moved to Oslo.\n');
  await clock.advance(MINUTE);
  await expect.poll(() => started.beats.length).toBe(1);
  expect(String(model.requests.at(-1)?.messages[0]?.content)).toContain('Moved to Oslo.');
  await other.close(other.root);
  await started.stop();
});

test('an empty checklist costs no call', async () => {
  const clock = createVirtualClock(0);
  const model = createScriptedModel([]);
  const started = agents.startAgent(
    agents.fromDir(folder({ 'SOUL.md': 'You are Ava.', 'HEARTBEAT.md': '# Nothing yet\n' })),
    { model, clock },
    { everyMs: MINUTE },
  );
  await clock.advance(5 * MINUTE);
  await started.stop();
  expect([model.requests.length, started.errors]).toEqual([0, []]);
});

test('an error in a beat is told and counted', async () => {
  const clock = createVirtualClock(0);
  const errors: unknown[] = [];
  const model = createScriptedModel([{ error: new Error('the line is down') }]);
  const started = agents.startAgent(
    agents.fromDir(folder(AVA)),
    { model, clock },
    { everyMs: MINUTE, onError: (error) => void errors.push(error) },
  );
  await clock.advance(MINUTE);
  await started.stop();
  expect(errors).toMatchObject([{ code: 'beat_failed' }]);
  expect(started.errors).toHaveLength(1);
});

test('a beat that waited too long ends alone; the turn of the user before it goes on', async () => {
  const clock = createVirtualClock(0);
  const model = createScriptedModel([{ toolCalls: [{ name: 'dig', arguments: {} }] }, 'Dug.']);
  const dig = {
    name: 'dig',
    description: 'Digs for a while.',
    inputSchema: { type: 'object', properties: {} },
    timeoutMs: 60 * MINUTE,
    execute: () => new Promise<string>((resolve) => void clock.setTimeout(() => resolve('gold'), 20 * MINUTE)),
  };
  const started = agents.startAgent(
    agents.fromDir(folder(AVA), { tools: [dig] }),
    { model, clock },
    { everyMs: 5 * MINUTE, maxBeatMs: 2 * MINUTE },
  );
  await clock.advance(4 * MINUTE);
  started.runtime.wake(started.handle, 'Dig, please.');
  const answer = started.runtime.wait(started.handle);
  await clock.advance(25 * MINUTE);
  expect(await answer).toMatchObject({ status: 'done', text: 'Dug.' });
  await started.stop();
  expect(started.errors.length).toBeGreaterThan(0);
});

test('two people who write at the same time each get their own answer', async () => {
  const clock = createVirtualClock(0);
  const model = createScriptedModel(({ messages }) => `Answer to ${/(anna|bob)/.exec(String(messages.at(-1)?.content))?.[1]}`);
  const started = agents.startAgent(agents.fromDir(folder(AVA)), { model, clock }, { everyMs: 60 * MINUTE });
  const handle = started.runtime.spawn(started.runtime.root, started.handle.name);
  const ask = async (from: string) => {
    started.runtime.post(handle, { from, channel: 'telegram', text: 'Hello' });
    const woke = started.runtime.wake(handle, 'You have a new message.');
    return woke.ok ? (await started.runtime.wait(handle)).text : woke.error;
  };
  expect(await Promise.all([ask('anna'), ask('bob')])).toEqual(['Answer to anna', 'Answer to bob']);
  await started.stop();
});

test('an agent of instructions runs, and an endpoint without a model is refused', async () => {
  const model = createScriptedModel(['Found.']);
  const researcher = agents.agent('researcher', { does: 'digs', soul: 'You are careful.' });
  expect((await researcher.run('Dig', { model })).text).toBe('Found.');
  await expect(researcher.run('Dig', { llm: { baseUrl: 'http://127.0.0.1:9/v1' } })).rejects.toMatchObject({
    code: 'configuration_invalid',
  });
});
