import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPersona } from './create-persona.js';
import { simulateBeats } from './simulate-beats.js';

const FROM_MS = Date.UTC(2026, 0, 1);
let parent = '';
let dir = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'x-beats-'));
  dir = createPersona(join(parent, 'ava'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));
const checklist = (text: string) => writeFileSync(join(dir, 'HEARTBEAT.md'), text);

test.each([
  ['a heading before the tasks', '# Checks\n\n- Look at the weather\n'],
  ['a task after a comment', '<!-- mine -->\n\n\n- [ ] Water the plants\n'],
  ['a heading with the name of another file', '# Checks\n\n## MEMORY.md\n\n- Tidy it\n'],
  ['UTF-16', '\uFEFF- Look at the weather\n'],
])('%s: the beats ask a model, and cost something', async (title, text) => {
  if (title === 'UTF-16') writeFileSync(join(dir, 'HEARTBEAT.md'), text, 'utf16le');
  else checklist(text);
  expect(await simulateBeats(dir, '1d', FROM_MS)).toMatchObject({ free: false, costUsd: expect.any(Number) });
  expect((await simulateBeats(dir, '1d', FROM_MS)).costUsd).toBeGreaterThan(0);
});

test.each([
  ['headings alone', '# Checks\n\n## Today\n'],
  ['ticked tasks', '# Checks\n\n- [x] Water the plants\n'],
])('%s: no beat asks a model', async (_title, text) => {
  checklist(text);
  expect(await simulateBeats(dir, '1d', FROM_MS)).toMatchObject({ free: true, inputTokensPerBeat: 0, costUsd: 0 });
});

test('a checklist that another file of the soul only quotes costs nothing', async () => {
  checklist('');
  writeFileSync(join(dir, 'AGENTS.md'), '## HEARTBEAT.md\n\n- Look at the weather\n');
  expect(await simulateBeats(dir, '1d', FROM_MS)).toMatchObject({ free: true });
});

test('a checklist that is a link is not read, as in a real beat', async () => {
  rmSync(join(dir, 'HEARTBEAT.md'));
  writeFileSync(join(parent, 'elsewhere.md'), '- Look at the weather\n');
  symlinkSync(join(parent, 'elsewhere.md'), join(dir, 'HEARTBEAT.md'));
  expect(await simulateBeats(dir, '1d', FROM_MS)).toMatchObject({ free: true });
});

test('a span that is none and a folder without a heartbeat are wrong usage', async () => {
  await expect(simulateBeats(dir, '0d', FROM_MS)).rejects.toMatchObject({ code: 'usage_wrong' });
  writeFileSync(join(dir, 'persona.yaml'), '');
  await expect(simulateBeats(dir, '1d', FROM_MS)).rejects.toMatchObject({ code: 'usage_wrong' });
});

test('a forecast writes nothing into the folder', async () => {
  checklist('- Look at the weather\n');
  const before = readdirSync(dir, { recursive: true });
  await simulateBeats(dir, '1d', FROM_MS);
  expect(readdirSync(dir, { recursive: true })).toEqual(before);
});
