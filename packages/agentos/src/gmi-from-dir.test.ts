import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScriptedModel } from '@x/testkit';
import { afterEach, expect, test } from 'vitest';
import { gmiFromDir } from './gmi-from-dir.js';

const folders: string[] = [];
function folder(files: { readonly [name: string]: string }): string {
  const dir = mkdtempSync(join(tmpdir(), 'x-persona-'));
  folders.push(dir);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}
afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
});
const yaml = `sentimentTracking:
  enabled: true
  presets: [frustration_recovery]
contextualPromptElements:
  - id: gentle
    type: behavioral_guidance
    content: Be gentle.
    criteria: { mood: empathetic }
`;

test('a directory is a GMI: soul, memory tool and adaptive part in one', async () => {
  const dir = folder({ 'SOUL.md': 'You are Ava.', 'MEMORY.md': '- Likes green tea.\n', 'persona.yaml': yaml });
  const model = createScriptedModel([
    { toolCalls: [{ name: 'memory', arguments: { action: 'add', text: 'Likes hiking' } }] },
    'Noted.',
    'I hear you.',
  ]);
  const gmi = gmiFromDir(dir, { model, metapromptMode: 'local' });
  await gmi.processTurn('This is terrible, I hate it and the app is useless. I went hiking.');
  await gmi.drain();
  await gmi.processTurn('And now?');
  const system = String(model.requests[0]?.messages[0]?.content);
  expect([system.includes('You are Ava.'), system.includes('green tea'), system.split('You are Ava.').length]).toEqual([true, true, 2]);
  expect(readFileSync(join(dir, 'MEMORY.md'), 'utf8')).toContain('Likes hiking');
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('Be gentle.');
});

test('the soul is frozen for the session and read anew at a reload, which is a named break', async () => {
  const dir = folder({ 'SOUL.md': 'You are Ava.' });
  const model = createScriptedModel(() => 'Yes.');
  const gmi = gmiFromDir(dir, { model });
  const breaks: (string | undefined)[] = [];
  const say = async (text: string): Promise<void> => {
    for await (const event of gmi.processTurn(text)) if (event.type === 'step-start') breaks.push(event.break);
  };
  await say('one');
  writeFileSync(join(dir, 'SOUL.md'), 'You are Eva.');
  await say('two');
  await gmi.reload();
  await say('three');
  expect(breaks).toEqual(['first', undefined, 'reload']);
  expect(model.requests.map(({ messages }) => /You are (Ava|Eva)/.exec(String(messages[0]?.content))?.[1])).toEqual(['Ava', 'Ava', 'Eva']);
});
