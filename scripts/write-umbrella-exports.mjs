// Writes packages/agentos/src/re-exports.ts: every public name of the packages that the umbrella joins, by name.
// Run it after a package's index changed: `npm run umbrella`. A test fails while the file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';

const PACKAGES = ['core', 'prompt-engine', 'sentiment', 'metaprompt', 'hexaco', 'compactor', 'persona-fs', 'openai', 'runtime'];
/** Names that the umbrella has in a wider form of its own. */
const OWN = { runtime: ['agent', 'createClient', 'ClientOptions'], 'persona-fs': ['fromDir'] };
const file = new URL('../packages/agentos/src/re-exports.ts', import.meta.url);

/** The names that an index exports, types marked. Fails on a star: an index lists its names. */
export function exportedNames(source, where) {
  if (/^export \*/m.test(source)) throw new Error(`${where} exports by star. List the names.`);
  return [...source.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, allTypes, list]) =>
    list
      .replace(/\/\/.*$/gm, '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map((entry) => {
        const isType = allTypes !== undefined || entry.startsWith('type ');
        return { isType, name: entry.replace(/^type /, '').replace(/^.* as /, '') };
      }),
  );
}

/** The text of the file. A name that two packages export comes from the lower or earlier one. */
export function umbrellaExports(read = (name) => readFileSync(new URL(`../packages/${name}/src/index.ts`, import.meta.url), 'utf8')) {
  const seen = new Map();
  const blocks = PACKAGES.flatMap((name) => {
    const names = exportedNames(read(name), `packages/${name}/src/index.ts`)
      .filter((entry) => !(OWN[name] ?? []).includes(entry.name) && !seen.has(entry.name))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of names) seen.set(entry.name, name);
    if (names.length === 0) return [];
    return [`export {\n${names.map((entry) => `  ${entry.isType ? 'type ' : ''}${entry.name},`).join('\n')}\n} from '@x/${name}';`];
  });
  return `// Written by \`npm run umbrella\`; do not edit.\n${blocks.join('\n')}\n`;
}

if (process.argv[1]?.endsWith('write-umbrella-exports.mjs')) writeFileSync(file, umbrellaExports());
