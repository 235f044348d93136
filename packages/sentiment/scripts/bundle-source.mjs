// Bundles a source file of this package for a script, so that scripts run on the very code that ships.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** @returns The path of the bundle, in a temporary folder of its own. */
export async function bundleSource(entry) {
  const outfile = join(mkdtempSync(join(tmpdir(), 'sentiment-')), 'bundle.mjs');
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    logLevel: 'error',
    alias: { '@x/core': join(root, '../core/src/index.ts') },
  });
  return outfile;
}
