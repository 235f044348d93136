import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const repositoryRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * @typedef {object} WorkspacePackage
 * @property {string} name - Short name: the folder's.
 * @property {'packages' | 'apps'} area
 * @property {string} directory - Absolute path.
 * @property {Record<string, any>} manifest - Its package.json.
 */

/**
 * Every package and app under `root`, in order of name.
 *
 * @param {string} root
 * @returns {WorkspacePackage[]}
 */
export function readWorkspace(root = repositoryRoot) {
  const found = [];
  for (const area of /** @type {const} */ (['packages', 'apps'])) {
    if (!existsSync(join(root, area))) continue;
    for (const name of readdirSync(join(root, area)).sort()) {
      const directory = join(root, area, name);
      const file = join(directory, 'package.json');
      if (existsSync(file)) found.push({ name, area, directory, manifest: JSON.parse(readFileSync(file, 'utf8')) });
    }
  }
  return found;
}

/** The packages that are published. */
export const publishedPackages = (root = repositoryRoot) => readWorkspace(root).filter((one) => one.manifest.private !== true);

/**
 * The code entries of a package, from its `exports`: `{ subpath: './schema', specifier: '@x/core/schema', file: './dist/schema/index.js' }`.
 *
 * @param {WorkspacePackage} one
 */
export function entriesOf(one) {
  return Object.entries(one.manifest.exports ?? {}).flatMap(([subpath, target]) => {
    const file = target?.import?.default;
    return typeof file === 'string' ? [{ subpath, specifier: one.manifest.name + subpath.slice(1), file }] : [];
  });
}

/**
 * The `@x/*` packages that `one` needs at run time, itself first, each once.
 *
 * @param {WorkspacePackage} one
 * @param {readonly WorkspacePackage[]} all
 * @returns {WorkspacePackage[]}
 */
export function runtimeClosure(one, all) {
  const closure = [one];
  for (const member of closure) {
    for (const name of Object.keys(member.manifest.dependencies ?? {})) {
      const found = all.find((other) => other.manifest.name === name);
      if (found !== undefined && !closure.includes(found)) closure.push(found);
    }
  }
  return closure;
}

/** Splits `--only a,b --fast x` into `{ flags: { only: 'a,b', fast: true }, names: ['x'] }`; `valued` lists the flags that take a value. */
export function parseArguments(args, valued = []) {
  /** @type {Record<string, string | true>} */
  const flags = {};
  const names = [];
  for (let index = 0; index < args.length; index += 1) {
    const [key, inline] = args[index].replace(/^--/, '').split('=', 2);
    if (!args[index].startsWith('--')) names.push(args[index]);
    else if (inline !== undefined) flags[key] = inline;
    else if (valued.includes(key)) flags[key] = args[++index] ?? '';
    else flags[key] = true;
  }
  return { flags, names };
}
