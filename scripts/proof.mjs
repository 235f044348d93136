/**
 * Runs the measured claims and writes them to docs/PROOF.md.
 *
 *   npm run proof                       every proof
 *   npm run proof compactor             the proofs of one package
 *   npm run proof compactor/fold-cost   one proof; `fold-cost` alone works too
 *   node scripts/proof.mjs --short      small inputs, prints only, leaves docs/PROOF.md as it is (what CI does)
 *   node scripts/proof.mjs --list       names only
 *
 * A proof is a file `packages/<package>/proof/<name>.mjs`, `apps/<app>/proof/<name>.mjs` or `proof/<name>.mjs` that imports built packages
 * (`import { planCompaction } from '@x/compactor'`) and default-exports, or exports as `claims`, one function:
 *
 *   export default async function ({ short, log }) {
 *     log('10,000 conversations');                       // progress, to stderr
 *     const tokens = measure(short ? 100 : 10_000);
 *     return [{ claim: 'A fold leaves at most 4,000 tokens', figure: `${tokens} tokens`, limit: 'at most 4,000', pass: tokens <= 4_000 }];
 *   }
 *
 * Each claim: `claim` (one sentence that can be false), `figure` (what was measured, with its unit), `limit` (what would still pass), `pass`
 * (boolean), and optionally `command` (how to see it apart from `npm run proof <name>`). A proof that cannot run here, for want of a
 * service, returns `{ skip: 'reason' }`. Each runs in its own process, one after the other; throwing, printing no claim or running longer
 * than 15 minutes (`--timeout <seconds>`) counts as a failed claim. Ends with `N passed, N failed`.
 *
 * A claim about time, speed or memory depends on the machine. Shortened runs happen next to other work, so there such a claim is printed as
 * `SLOW` and does not fail the run; whole runs judge it. A claim is one of these when its limit names a unit of time or size or a ratio.
 */

import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArguments, readWorkspace, repositoryRoot } from './lib/workspace.mjs';

const report = join(repositoryRoot, 'docs', 'PROOF.md');

/** In the child: run one proof and send what it claims. */
async function runHere(file, short) {
  const module = await import(pathToFileURL(file).href);
  const prove = module.default ?? module.claims;
  if (typeof prove !== 'function') throw new Error(`${file} exports neither a default function nor one named claims`);
  const log = (...parts) => process.stderr.write(`  ${parts.join(' ')}\n`);
  const claims = await prove({ short, log });
  await new Promise((sent) => process.send({ claims }, sent));
  process.exit();
}

/** Every proof: `{ name: 'compactor/fold-cost', file }`, in order of name. */
function discover() {
  const folders = [...readWorkspace().map((one) => [one.name, join(one.directory, 'proof')]), ['all', join(repositoryRoot, 'proof')]];
  return folders
    .filter(([, folder]) => existsSync(folder))
    .flatMap(([owner, folder]) =>
      readdirSync(folder)
        .filter((file) => file.endsWith('.mjs'))
        .map((file) => ({ name: `${owner}/${basename(file, '.mjs')}`, file: join(folder, file) })),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Runs one proof in its own process. */
function prove({ name, file }, { short, timeoutMs }) {
  const failed = (figure) => [{ claim: `${name} runs to its end`, figure, limit: 'no error', pass: false }];
  return new Promise((done) => {
    const child = fork(import.meta.filename, ['--child', file, ...(short ? ['--short'] : [])], {
      cwd: repositoryRoot,
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    let claims;
    let tail = '';
    child.on('message', (message) => {
      claims = message.claims;
    });
    child.stderr.on('data', (chunk) => {
      process.stderr.write(chunk);
      tail = (tail + chunk).slice(-2_000);
    });
    const timer = setTimeout(() => {
      tail = `stopped after ${timeoutMs / 1_000} s`;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (typeof claims?.skip === 'string') return done({ skip: claims.skip });
      const sound = (one) =>
        typeof one?.claim === 'string' && one.figure !== undefined && one.limit !== undefined && typeof one.pass === 'boolean';
      if (code !== 0 || claims === undefined) return done({ claims: failed(lastError(tail) ?? `ended with ${code}`) });
      if (!Array.isArray(claims) || claims.length === 0 || !claims.every(sound))
        return done({ claims: failed('no claims in the documented shape') });
      done({ claims });
    });
  });
}

/** The line of a stack trace that says what was thrown, or the last line there is. */
function lastError(text) {
  const lines = text
    .trim()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('Node.js v'));
  return lines.findLast((line) => /^\w*Error\b|^stopped after/.test(line)) ?? lines.at(-1);
}

/** True for a limit such as `p99 at most 1 ms`, `at least 10×` or `150 MB`. */
const dependsOnMachine = (limit) =>
  /(\d\s*(ms|µs|us|s|seconds?|minutes?|MB|KB|messages\/s)\b|\d\s*[×x](?![a-z])|\btimes\b|faster|slower|per second)/i.test(String(limit));

const cell = (value) => String(value).replaceAll('\n', ' ').replaceAll('|', '\\|');

/** One section of the report. */
function section(name, claims) {
  const processors = cpus();
  const machine = `${processors[0]?.model.trim() ?? 'unknown processor'}, ${processors.length} cores, Node ${process.versions.node}`;
  const rows = claims.map(
    ({ claim, command, figure, limit, pass }) =>
      `| ${cell(claim)} | ${cell(figure)} | ${cell(limit)} | ${pass ? 'yes' : '**no**'} | \`${cell(command ?? `npm run proof ${name}`)}\` |`,
  );
  return [
    `## ${name}`,
    '',
    `${new Date().toISOString().slice(0, 10)}; ${machine}`,
    '',
    '| claim | figure | limit | holds | command |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** Writes the new sections over the old ones of the same name; the rest stay, except those whose proof is gone. */
function writeReport(sections, known) {
  const old = existsSync(report) ? readFileSync(report, 'utf8') : '';
  const kept = new Map();
  for (const text of old.split(/^(?=## )/m).slice(1)) kept.set(text.slice(3, text.indexOf('\n')).trim(), `${text.trim()}\n`);
  for (const [name, text] of sections) kept.set(name, text);
  const body = [...kept].filter(([name]) => known.includes(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  mkdirSync(join(repositoryRoot, 'docs'), { recursive: true });
  const head = '# Proof\n\nWhat was measured, by `npm run proof`; each section tells its machine and day. Written by scripts/proof.mjs.\n';
  writeFileSync(report, `${[head, ...body.map(([, text]) => text)].join('\n').trim()}\n`);
}

const { flags, names } = parseArguments(process.argv.slice(2), ['child', 'timeout']);
// `npm run proof --short` hands the flag to npm, which leaves it in the environment.
const short = flags.short === true || process.env.npm_config_short === 'true';

if (typeof flags.child === 'string') {
  await runHere(flags.child, short);
} else {
  const all = discover();
  const chosen = all.filter(
    ({ name }) => names.length === 0 || names.some((wanted) => name === wanted || name.split('/').includes(wanted)),
  );
  const missing = names.filter((wanted) => !all.some(({ name }) => name === wanted || name.split('/').includes(wanted)));
  let passed = 0;
  let failed = missing.length;
  for (const name of missing) console.log(`FAIL no proof named ${name}`);
  if (flags.list) for (const { name, file } of chosen) console.log(`${name}  ${relative(repositoryRoot, file)}`);
  else {
    const timeoutMs = Number(flags.timeout ?? 900) * 1_000;
    for (const proof of chosen) {
      const start = Date.now();
      const { claims, skip } = await prove(proof, { short, timeoutMs });
      console.log(`${proof.name} (${((Date.now() - start) / 1_000).toFixed(1)} s)${skip === undefined ? '' : ` skipped: ${skip}`}`);
      for (const { claim, figure, limit, pass } of claims ?? []) {
        const slow = !pass && short && dependsOnMachine(limit);
        console.log(`  ${pass ? 'ok  ' : slow ? 'SLOW' : 'FAIL'} ${claim}: ${figure} (limit: ${limit})`);
        if (pass || slow) passed += 1;
        else failed += 1;
      }
      if (!short && claims !== undefined)
        writeReport(
          [[proof.name, section(proof.name, claims)]],
          all.map(({ name }) => name),
        );
    }
    console.log(`${passed} passed, ${failed} failed`);
  }
  process.exitCode = failed > 0 ? 1 : 0;
}
