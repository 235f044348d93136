import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { composeSoul, fromDir, memoryTool } from './index.js';

const dirWith = (files: { readonly [name: string]: string }): string => {
  const dir = mkdtempSync(join(tmpdir(), 'persona-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
};

test('the memory tool edits the file and the next soul shows it', async () => {
  const dir = dirWith({ 'SOUL.md': 'You are Ava.', 'MEMORY.md': '- Likes green tea.\n' });
  const tool = memoryTool(dir);
  expect(await tool.execute({ action: 'add', text: 'Likes hiking' })).toEqual({
    output: 'ok (add → MEMORY.md); loads next session',
    isError: false,
  });
  await tool.execute({ action: 'replace', text: 'green tea', with: 'oolong' });
  expect(readFileSync(join(dir, 'MEMORY.md'), 'utf8')).toBe('- Likes oolong.\n- Likes hiking\n');
  await tool.execute({ action: 'remove', text: '- Likes hiking\n' });
  expect(readFileSync(join(dir, 'MEMORY.md'), 'utf8')).toBe('- Likes oolong.\n');
  expect(await tool.execute({ action: 'replace', text: 'nonexistent', with: 'x' })).toMatchObject({ isError: true });
  await tool.execute({ action: 'add', target: 'user', text: 'Prefers dark roast' });
  expect(composeSoul(dir)).toMatchObject({ found: ['SOUL.md', 'USER.md', 'MEMORY.md'] });
  expect(composeSoul(dir).soul).toContain('Likes oolong.');
  expect(fromDir(dir).tools.map((tool) => tool.name)).toEqual(['memory']);
});
