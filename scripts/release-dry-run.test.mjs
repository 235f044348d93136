import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readWorkspace, repositoryRoot } from './lib/workspace.mjs';

const changesets = join(dirname(createRequire(import.meta.url).resolve('@changesets/cli/package.json')), 'bin.js');
const workspace = readWorkspace();
const published = workspace.filter((one) => one.manifest.private !== true);
const bumped = (version, part) => {
  const [major, minor, patch] = version.split('.').map(Number);
  return part === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
};
const dependantsOf = (name) =>
  published.filter((one) => Object.keys(one.manifest.dependencies ?? {}).includes(name)).map((one) => one.manifest.name);

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'release-'));
  for (const file of ['package.json', 'package-lock.json', '.changeset/config.json']) cpSync(join(repositoryRoot, file), join(root, file));
  for (const one of workspace) {
    const target = join(root, relative(repositoryRoot, one.directory));
    mkdirSync(target, { recursive: true });
    cpSync(join(one.directory, 'package.json'), join(target, 'package.json'));
  }
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=release', '-c', 'user.email=release@example.invalid', ...args], { cwd: root });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'Copy');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Applies one changeset in the copy and returns the packages whose version moved, and the manifests after. */
function release(name, part) {
  writeFileSync(join(root, '.changeset', 'dry-run.md'), `---\n'${name}': ${part}\n---\nA change.\n`);
  execFileSync(process.execPath, [changesets, 'version'], { cwd: root, stdio: 'pipe' });
  const after = workspace.map((one) =>
    JSON.parse(readFileSync(join(root, relative(repositoryRoot, one.directory), 'package.json'), 'utf8')),
  );
  const moved = {};
  for (const [index, manifest] of after.entries()) {
    if (manifest.version !== workspace[index].manifest.version) moved[manifest.name] = manifest.version;
  }
  return { moved, after: new Map(after.map((manifest) => [manifest.name, manifest])) };
}
const versionOf = (name) => workspace.find((one) => one.manifest.name === name)?.manifest.version ?? '';
const patchesOf = (names) => Object.fromEntries(names.map((name) => [name, bumped(versionOf(name), 'patch')]));

test('a patch of one leaf releases that leaf and nothing else', () => {
  const { moved, after } = release('@x/compactor', 'patch');
  expect(moved).toEqual(patchesOf(['@x/compactor']));
  // The range of the umbrella covers the patch: users get it without a release of the umbrella.
  expect(after.get('@x/agentos').dependencies['@x/compactor']).toBe(`^${versionOf('@x/compactor')}`);
});

test('a patch of core releases core alone: every dependant already accepts it', () => {
  expect(release('@x/core', 'patch').moved).toEqual(patchesOf(['@x/core']));
});

test('a minor of one leaf leaves the old range, so its dependants follow with a patch and a new range', () => {
  const { moved, after } = release('@x/compactor', 'minor');
  const next = bumped(versionOf('@x/compactor'), 'minor');
  expect(moved).toEqual({ '@x/compactor': next, ...patchesOf(dependantsOf('@x/compactor')) });
  expect(dependantsOf('@x/compactor')).toEqual(['@x/agentos']);
  expect(after.get('@x/agentos').dependencies['@x/compactor']).toBe(`^${next}`);
});

test('a minor of core reaches every package that depends on it, and no other', () => {
  const { moved } = release('@x/core', 'minor');
  const others = published.filter((one) => '@x/core' in (one.manifest.dependencies ?? {})).map((one) => one.manifest.name);
  expect(moved).toEqual({ '@x/core': bumped(versionOf('@x/core'), 'minor'), ...patchesOf(others) });
});
