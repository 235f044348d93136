import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkFloors } from './check-floors.mjs';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'floors-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const exportsOf = (...subpaths) =>
  Object.fromEntries(subpaths.map((path) => [path, { import: { default: `./dist/${path === '.' ? 'index' : path.slice(2)}.js` } }]));

/** Writes a small tree that keeps every rule, then the given files over it, and returns the faults. */
function faultsWith(files = {}) {
  const tree = {
    'packages/core/package.json': { name: '@x/core', exports: exportsOf('.', './schema'), dependencies: { zod: '1' } },
    'packages/core/src/index.ts': `export { now } from './clock.js';`,
    'packages/core/src/clock.ts': 'export const now = () => 1;',
    'packages/core/src/schema/index.ts': `import * as z from 'zod';\nexport const name = z.string();`,
    'packages/hexaco/package.json': { name: '@x/hexaco', exports: exportsOf('.'), dependencies: { '@x/core': '1' } },
    'packages/hexaco/src/index.ts': `import { now } from '@x/core';\nexport const traits = now();`,
    'packages/hexaco/src/index.test.ts': `import { readFileSync } from 'node:fs';\nconsole.log(readFileSync, process.env.HOME);`,
    'packages/compactor/package.json': { name: '@x/compactor', exports: exportsOf('.'), dependencies: { '@x/core': '1' } },
    'packages/compactor/src/index.ts': `export type { now } from '@x/core';`,
    'packages/runtime/package.json': { name: '@x/runtime', exports: exportsOf('.', './node'), dependencies: { '@x/core': '1' } },
    'packages/runtime/src/index.ts': `export const shell = async () => (await import('./shell.js')).run;`,
    'packages/runtime/src/shell.ts': `import { spawn } from 'node:child_process';\nexport const run = spawn;`,
    'packages/openai/package.json': { name: '@x/openai', exports: exportsOf('.'), dependencies: { '@x/core': '1' } },
    'packages/openai/src/environment.ts': 'export const key = () => process.env.OPENAI_API_KEY;',
    'packages/agentos/package.json': { name: '@x/agentos', exports: exportsOf('.'), dependencies: { '@x/core': '1', '@x/hexaco': '1' } },
    'packages/agentos/src/index.ts': `import { traits } from '@x/hexaco';\nimport { name } from '@x/core/schema';\nexport { traits, name };`,
    'apps/demo/package.json': { name: '@x/demo', private: true, dependencies: { '@x/agentos': '1' } },
    'apps/demo/src/index.ts': `import { traits } from '@x/agentos';\nconsole.log(traits, process.env.HOME);`,
    ...files,
  };
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return checkFloors(root).faults;
}

test('a tree that keeps every rule has no fault', () => {
  expect(faultsWith()).toEqual([]);
});

test.each([
  [
    'a sideways import',
    { 'packages/hexaco/src/index.ts': `import '@x/core';\nimport { a } from '@x/compactor';\nexport { a };` },
    [
      'packages/hexaco/src/index.ts:2: sideways import of @x/compactor (floor 2) from @x/hexaco (floor 2)',
      `packages/hexaco/src/index.ts:2: '@x/compactor' is not a dependency of @x/hexaco`,
    ],
  ],
  [
    'a sideways type import',
    { 'packages/hexaco/src/index.ts': `export type A = import('@x/compactor').A;` },
    [
      'packages/hexaco/src/index.ts:1: sideways import of @x/compactor (floor 2) from @x/hexaco (floor 2)',
      `packages/hexaco/src/index.ts:1: '@x/compactor' is not a dependency of @x/hexaco`,
    ],
  ],
  [
    'an upward dependency that nothing imports yet',
    {
      'packages/core/package.json': { name: '@x/core', exports: exportsOf('.', './schema'), dependencies: { zod: '1', '@x/agentos': '1' } },
    },
    ['packages/core/package.json: upward import of @x/agentos (floor 3) from @x/core (floor 1)'],
  ],
  [
    'a sideways development dependency other than testkit',
    {
      'packages/hexaco/package.json': {
        name: '@x/hexaco',
        exports: exportsOf('.'),
        dependencies: { '@x/core': '1' },
        devDependencies: { '@x/compactor': '1', '@x/testkit': '1' },
      },
    },
    ['packages/hexaco/package.json: sideways import of @x/compactor (floor 2) from @x/hexaco (floor 2)'],
  ],
  [
    'a cycle between files',
    {
      'packages/core/src/clock.ts': `import './timer.js';\nexport const now = () => 1;`,
      'packages/core/src/timer.ts': `import './clock.js';`,
    },
    ['packages/core/src/clock.ts -> packages/core/src/timer.ts -> packages/core/src/clock.ts: cycle between files'],
  ],
  [
    'node: in a browser package, behind a dynamic import too',
    { 'packages/core/src/clock.ts': `export const now = () => import('node:fs');` },
    [`packages/core/src/clock.ts:1: 'node:fs' (dynamic import) on a path that runs in a browser`],
  ],
  [
    'a Node module without its prefix',
    { 'packages/compactor/src/index.ts': `import { join } from 'path';\nexport { join };` },
    [`packages/compactor/src/index.ts:1: 'path' (value import) on a path that runs in a browser`],
  ],
  [
    'node: on the main entry of runtime, reached statically',
    { 'packages/runtime/src/index.ts': `export { run } from './shell.js';` },
    [`packages/runtime/src/shell.ts:1: 'node:child_process' (value import) on a path that runs in a browser`],
  ],
  [
    'zod outside core/schema',
    { 'packages/core/src/clock.ts': `import * as z from 'zod';\nexport const now = () => z;` },
    ['packages/core/src/clock.ts:1: zod outside packages/core/src/schema'],
  ],
  [
    'console below floor 4',
    { 'packages/agentos/src/index.ts': `export const say = () => globalThis.console.log('hi');` },
    ['packages/agentos/src/index.ts:1: console below floor 4'],
  ],
  [
    'process.env below floor 4, outside the named file',
    { 'packages/openai/src/index.ts': `export const key = () => (globalThis as any).process?.env?.OPENAI_API_KEY;` },
    ['packages/openai/src/index.ts:1: process.env below floor 4'],
  ],
  ...[
    `import { env } from 'node:process';\nexport const key = () => env.KEY;`,
    `import { env as settings } from 'process';\nexport const key = () => settings.KEY;`,
    `import host from 'node:process';\nexport const key = () => host.env.KEY;`,
    `import * as host from 'node:process';\nexport const key = () => host.env.KEY;`,
    `export { env } from 'node:process';`,
    `const { env } = process;\nexport const key = () => env.KEY;`,
    `const { env: settings = {} } = globalThis.process;\nexport const key = () => settings.KEY;`,
    `const { process: { env } } = globalThis;\nexport const key = () => env.KEY;`,
    `export const key = ({ env } = process) => env.KEY;`,
    `let env;\n({ env } = process);\nexport const key = () => env.KEY;`,
    `export const key = () => process['env'].KEY;`,
    `export const key = async () => (await import('node:process')).env.KEY;`,
    `export const key = async () => { const { env } = await import('node:process'); return env.KEY; };`,
    `export const key = () => require('node:process').env.KEY;`,
  ].map((source) => [
    `the environment by ${source.split('\n').join(' ')}`,
    { 'packages/openai/src/index.ts': source },
    [expect.stringMatching(/^packages\/openai\/src\/index\.ts:[12]: process\.env below floor 4$/)],
  ]),
  ...[`const { log } = console;\nexport { log };`, `export const say = console['log'];`, `export const sink = console;`].map((source) => [
    `the console by ${source.split('\n').join(' ')}`,
    { 'packages/openai/src/index.ts': source },
    ['packages/openai/src/index.ts:1: console below floor 4'],
  ]),
  [
    'a relative import into another package',
    { 'packages/hexaco/src/index.ts': `export { now } from '../../core/src/clock.js';` },
    [`packages/hexaco/src/index.ts:1: relative import '../../core/src/clock.js' leaves the package`],
  ],
  [
    'a path into a package that is none of its entries',
    { 'packages/hexaco/src/index.ts': `export { now } from '@x/core/dist/clock.js';` },
    [`packages/hexaco/src/index.ts:1: '@x/core/dist/clock.js' is no entry of @x/core`],
  ],
  [
    'an import that package.json does not declare',
    { 'packages/hexaco/src/index.ts': `import _ from 'lodash';\nexport { _ };` },
    [`packages/hexaco/src/index.ts:1: 'lodash' is not a dependency of @x/hexaco`],
  ],
  [
    'a package without a floor',
    { 'packages/extra/package.json': { name: '@x/extra' } },
    ['packages/extra/package.json: extra has no floor; add it to FLOORS in scripts/check-floors.mjs'],
  ],
])('%s is a fault', (_title, files, expected) => {
  expect(faultsWith(files)).toEqual(expected);
});

test('a cycle of types alone is none', () => {
  expect(
    faultsWith({
      'packages/core/src/clock.ts': `import type { T } from './timer.js';\nexport const now = (): T => 1;`,
      'packages/core/src/timer.ts': `import { now } from './clock.js';\nexport type T = number;\nnow();`,
    }),
  ).toEqual([]);
});

test('the one file that reads key names may do so, and other parts of the process are free', () => {
  expect(
    faultsWith({
      'packages/openai/src/environment.ts': `const { env } = process;\nexport const key = () => env.OPENAI_API_KEY;`,
      'packages/store/package.json': { name: '@x/store', exports: exportsOf('.'), dependencies: { '@x/core': '1' } },
      'packages/store/src/index.ts': `import { cwd, kill as stop } from 'node:process';\nexport const environment = { env: cwd(), console: stop, process };`,
    }),
  ).toEqual([]);
});
