/**
 * Checks each package as a stranger gets it: packed, and installed alone in an empty folder.
 *
 *   node scripts/check-packages.mjs [--only core,hexaco] [--fast] [--keep]
 *
 * Per package: publint --strict and attw (profile node16) on the tarball; the tarball holds dist and documents only; `npm install` of it and of
 * the @x packages it needs; every entry by import and by require in a fresh Node 20, 22 and 24; a small consumer typechecked under
 * `node16` and `bundler`; the third-party packages that arrived are those its README names, and no optional peer is among them.
 * `--fast` stays on the running Node and leaves the typecheck out. Prints one line per package, then `N passed, N failed`.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { nodeOfMajor } from './lib/node-versions.mjs';
import { loadFresh, mapLimited, run } from './lib/processes.mjs';
import { entriesOf, parseArguments, publishedPackages, repositoryRoot, runtimeClosure } from './lib/workspace.mjs';

const { flags } = parseArguments(process.argv.slice(2), ['only']);
const all = publishedPackages();
const only = typeof flags.only === 'string' ? flags.only.split(',') : all.map((one) => one.name);
const chosen = all.filter((one) => only.includes(one.name));
const unknown = only.filter((name) => !all.some((one) => one.name === name));
if (unknown.length > 0) throw new Error(`no package named ${unknown.join(', ')}`);

const work = mkdtempSync(join(tmpdir(), 'x-agentos-packages-'));
const bin = (name) => join(repositoryRoot, 'node_modules', '.bin', name);

/** Packs one package and returns its tarball's path and listing. */
async function pack(one) {
  const result = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', work], { cwd: one.directory });
  if (result.code !== 0) throw new Error(`npm pack of ${one.name}: ${result.stderr.slice(0, 800)}`);
  const report = JSON.parse(result.stdout);
  const [info] = Array.isArray(report) ? report : Object.values(report);
  return { path: join(work, info.filename), bytes: info.size, files: info.files.map((file) => file.path) };
}

function judgeContents(one, { files }) {
  const allowed =
    /^(dist\/.*\.(js|cjs|d\.ts|d\.cts|json|bin|gz)|dist\/web\/.*\.(html|css|svg)|package\.json|README\.md|LICENSE|NOTICE|CHANGELOG\.md)$/;
  const problems = files.filter((file) => !allowed.test(file)).map((file) => `tarball holds ${file}`);
  for (const needed of ['README.md', 'LICENSE']) if (!files.includes(needed)) problems.push(`tarball lacks ${needed}`);
  for (const { file } of entriesOf(one)) if (!files.includes(file.slice(2))) problems.push(`tarball lacks ${file}`);
  return problems;
}

async function judgeShape(tarball) {
  const publint = await run(bin('publint'), ['run', tarball.path, '--strict']);
  const attw = await run(bin('attw'), [tarball.path, '--profile', 'node16', '--no-color', '--no-emoji']);
  return [
    ...(publint.code === 0 ? [] : [`publint: ${(publint.stdout + publint.stderr).trim().slice(0, 800)}`]),
    ...(attw.code === 0 ? [] : [`attw: ${(attw.stdout + attw.stderr).trim().slice(0, 1200)}`]),
  ];
}

/** Installs the tarball and those of the @x packages it needs, nothing else, and returns the folder. */
async function installAlone(one, tarballs) {
  const folder = join(work, 'alone', one.name);
  mkdirSync(folder, { recursive: true });
  const closure = runtimeClosure(one, all);
  const dependencies = Object.fromEntries(closure.map((member) => [member.manifest.name, `file:${tarballs.get(member.name).path}`]));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];
  const result = await run('npm', args, { cwd: folder });
  if (result.code !== 0) throw new Error(`npm install: ${(result.stdout + result.stderr).trim().slice(0, 800)}`);
  return folder;
}

/** Names of all installed packages outside @x, at any depth. */
async function thirdParty(folder) {
  const result = await run('npm', ['ls', '--all', '--json'], { cwd: folder });
  const names = new Set();
  const walk = (node) => {
    for (const [name, child] of Object.entries(node.dependencies ?? {})) {
      if (child.version === undefined) continue; // an optional peer that is not installed
      if (!name.startsWith('@x/')) names.add(name);
      walk(child);
    }
  };
  walk(JSON.parse(result.stdout));
  return [...names].sort();
}

/** A README names each third-party package its own package.json asks for; nothing else arrives except what those bring. */
function judgeThirdParty(one, installed) {
  const problems = [];
  const direct = new Set();
  for (const member of runtimeClosure(one, all)) {
    const file = join(member.directory, 'README.md');
    const readme = existsSync(file) ? readFileSync(file, 'utf8') : '';
    for (const name of Object.keys(member.manifest.dependencies ?? {}).filter((key) => !key.startsWith('@x/'))) {
      direct.add(name);
      if (!readme.includes(name)) problems.push(`README of ${member.name} does not name ${name}`);
    }
    for (const name of Object.keys(member.manifest.peerDependencies ?? {})) {
      if (installed.includes(name) && !direct.has(name)) problems.push(`optional peer ${name} was installed`);
    }
  }
  for (const name of direct) if (!installed.includes(name)) problems.push(`${name} is declared and was not installed`);
  const brought = new Set(direct);
  const lock = readFileSync(join(work, 'alone', one.name, 'package-lock.json'), 'utf8');
  const packages = JSON.parse(lock).packages;
  for (const name of brought) {
    for (const [path, entry] of Object.entries(packages)) {
      if (path.endsWith(`node_modules/${name}`)) for (const next of Object.keys(entry.dependencies ?? {})) brought.add(next);
    }
  }
  for (const name of installed) if (!brought.has(name)) problems.push(`${name} was installed and no README accounts for it`);
  return problems;
}

async function judgeLoading(one, folder, nodes) {
  const problems = [];
  for (const [major, node] of nodes) {
    for (const { specifier } of entriesOf(one)) {
      const imported = await loadFresh({ node, cwd: folder, specifier, how: 'import' });
      const required = await loadFresh({ node, cwd: folder, specifier, how: 'require' });
      for (const { problem } of [imported, required]) if (problem !== undefined) problems.push(`Node ${major}: ${problem}`);
      if (imported.problem === undefined && imported.names.length === 0) problems.push(`Node ${major}: ${specifier} exports nothing`);
      if (imported.names.join() !== required.names.join())
        problems.push(`Node ${major}: import and require of ${specifier} differ in names`);
    }
  }
  return problems;
}

/** Typechecks a file that imports every entry. Only faults in that file or in the types of @x packages count. */
function judgeTypes(one, folder) {
  const lines = entriesOf(one).map(({ specifier }, index) => `import * as entry${index} from '${specifier}';`);
  const uses = `export const names: string[] = Object.keys({ ${lines.map((_, index) => `...entry${index}`).join(', ')} });`;
  const text = [...lines, uses, ''].join('\n');
  const shared = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    noEmit: true,
    skipLibCheck: false,
    typeRoots: [join(repositoryRoot, 'node_modules', '@types')],
    types: ['node'],
    lib: ['lib.es2023.d.ts'],
  };
  const settings = [
    ['node16', ['consumer.mts', 'consumer.cts'], { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 }],
    ['bundler', ['consumer.ts'], { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }],
  ];
  const problems = [];
  for (const [label, files, resolution] of settings) {
    const paths = files.map((file) => join(folder, file));
    for (const path of paths) writeFileSync(path, text);
    const program = ts.createProgram(paths, { ...shared, ...resolution });
    for (const { file, start, messageText } of ts.getPreEmitDiagnostics(program)) {
      const where = file === undefined ? '' : relative(folder, file.fileName);
      if (where !== '' && !where.startsWith('consumer') && !where.startsWith(join('node_modules', '@x'))) continue;
      const line = file === undefined ? '' : `:${file.getLineAndCharacterOfPosition(start ?? 0).line + 1}`;
      problems.push(`types under ${label}: ${where}${line} ${ts.flattenDiagnosticMessageText(messageText, ' ').slice(0, 300)}`);
    }
  }
  return problems;
}

async function judge(one, tarballs, nodes) {
  const tarball = tarballs.get(one.name);
  const problems = judgeContents(one, tarball);
  let installed = [];
  try {
    problems.push(...(await judgeShape(tarball)));
    const folder = await installAlone(one, tarballs);
    installed = await thirdParty(folder);
    problems.push(...judgeThirdParty(one, installed), ...(await judgeLoading(one, folder, nodes)));
    if (!flags.fast) problems.push(...judgeTypes(one, folder));
  } catch (error) {
    problems.push(error.message);
  }
  const facts = [
    `${(tarball.bytes / 1000).toFixed(1)} kB packed`,
    installed.length === 0
      ? 'nothing else installed'
      : `${installed.length} third-party: ${installed.slice(0, 6).join(', ')}${installed.length > 6 ? ', …' : ''}`,
    `Node ${nodes.map(([major]) => major).join(', ')}`,
  ];
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${one.manifest.name.padEnd(18)} ${facts.join('; ')}`);
  for (const problem of problems) console.log(`     ${problem.replaceAll('\n', '\n     ')}`);
  return problems.length === 0;
}

try {
  const running = Number(process.versions.node.split('.')[0]);
  const nodes = [];
  for (const major of flags.fast ? [running] : [20, 22, 24]) {
    const node = await nodeOfMajor(major);
    if (node === undefined)
      console.log(`skip Node ${major}: no binary for ${process.platform}-${process.arch}, or it could not be fetched`);
    else nodes.push([major, node]);
  }
  const needed = [...new Set(chosen.flatMap((one) => runtimeClosure(one, all)))];
  const tarballs = new Map(await mapLimited(needed, 2, async (one) => [one.name, await pack(one)]));
  const results = await mapLimited(chosen, 2, (one) => judge(one, tarballs, nodes));
  const passed = results.filter(Boolean).length;
  console.log(`${passed} passed, ${results.length - passed} failed`);
  process.exitCode = passed === results.length ? 0 : 1;
} finally {
  if (flags.keep) console.log(`kept ${work}`);
  else rmSync(work, { recursive: true, force: true });
}
