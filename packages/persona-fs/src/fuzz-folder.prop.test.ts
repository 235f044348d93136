import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isAgentosError } from '@x/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyFolder, type FolderPlan } from '../test/any-folder.js';
import { makeDir, writeFiles } from '../test/make-dir.js';
import { wellFormed } from './bytes-codec.js';
import { composeSoul } from './compose-soul.js';
import { fromDir } from './from-dir.js';
import { readPersona } from './load-persona.js';
import { memoryTool } from './memory-tool.js';

function build({ files, links, directories }: FolderPlan): string {
  const dir = makeDir();
  for (const name of directories) mkdirSync(join(dir, name));
  for (const name of links) symlinkSync('/etc/hostname', join(dir, name));
  writeFiles(dir, files);
  return dir;
}

test('no folder makes reading throw what is not ours, nor puts what is outside into the soul', () => {
  fc.assert(
    fc.property(anyFolder, (plan) => {
      const dir = build(plan);
      const { soul, found } = composeSoul(dir);
      for (const name of plan.links) expect(found).not.toContain(name);
      expect(wellFormed(soul)).toBe(soul);
      for (const read of [readPersona, fromDir]) {
        try {
          read(dir);
        } catch (error) {
          expect(isAgentosError(error)).toBe(true);
        }
      }
    }),
    { numRuns: 150 },
  );
});

test('in no folder does the memory tool throw, nor lose a line that was there', async () => {
  await fc.assert(
    fc.asyncProperty(anyFolder, async (plan) => {
      const dir = build(plan);
      const before = plan.files['MEMORY.md'];
      const { isError } = await memoryTool(dir).execute({ action: 'add', text: 'a new fact' });
      if (isError || before === undefined) return;
      const { readFileSync } = await import('node:fs');
      const bytes = Buffer.from(before);
      if (!bytes.includes(0))
        expect(readFileSync(join(dir, 'MEMORY.md')).includes(bytes.subarray(0, bytes.toString('latin1').trimEnd().length))).toBe(true);
    }),
    { numRuns: 40 },
  );
});
