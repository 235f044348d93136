import { spawn } from 'node:child_process';

/**
 * Runs a program to its end and keeps what it printed. Never throws: a program that cannot start or that runs past
 * `timeoutMs` ends with a code other than 0.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, channel?: boolean }} [options] - `channel` opens descriptor 3
 *   for what the program tells us apart from its output.
 * @returns {Promise<{ code: number, stdout: string, stderr: string, channel: string }>}
 */
export function run(command, args, { cwd, env, timeoutMs = 300_000, channel = false } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, env: env ?? process.env, stdio: ['ignore', 'pipe', 'pipe', ...(channel ? ['pipe'] : [])] });
    const texts = { stdout: '', stderr: '', channel: '' };
    const keep = (name) => (chunk) => {
      texts[name] += chunk;
    };
    child.stdout.on('data', keep('stdout'));
    child.stderr.on('data', keep('stderr'));
    if (channel) child.stdio[3].on('data', keep('channel'));
    const timer = setTimeout(() => {
      texts.stderr += `\nstopped after ${timeoutMs / 1000} s`;
      child.kill('SIGKILL');
    }, timeoutMs);
    const finish = (code) => {
      clearTimeout(timer);
      done({ code, ...texts });
    };
    child.on('error', (error) => {
      texts.stderr += error.message;
      finish(127);
    });
    child.on('close', (code) => finish(code ?? 1));
  });
}

/**
 * `work` over `items`, at most `width` at a time; results in the order of the items.
 *
 * @template T, R
 * @param {readonly T[]} items
 * @param {number} width
 * @param {(item: T) => Promise<R>} work
 * @returns {Promise<R[]>}
 */
export async function mapLimited(items, width, work) {
  const results = new Array(items.length);
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}

const probe = (load) => `
const before = { globals: Object.getOwnPropertyNames(globalThis), env: JSON.stringify(process.env) };
const start = process.hrtime.bigint();
const entry = ${load};
const ms = Number(process.hrtime.bigint() - start) / 1e6;
const names = Object.keys(entry).filter((name) => name !== 'default' && name !== 'module.exports').sort();
// zod keeps its registry on globalThis, so that two installed copies share it.
const changed = Object.getOwnPropertyNames(globalThis).filter((name) => !before.globals.includes(name) && !name.startsWith('__zod_'));
if (JSON.stringify(process.env) !== before.env) changed.push('process.env');
`;

/**
 * Loads one entry in a fresh Node, by `import` or by `require`, and says what happened. The process must end by itself and print nothing.
 *
 * @param {{ node?: string, cwd: string, specifier: string, how: 'import' | 'require' }} options
 * @returns {Promise<{ ms: number, names: string[], problem?: string }>}
 */
export async function loadFresh({ node = process.execPath, cwd, specifier, how }) {
  const id = JSON.stringify(specifier);
  const report = `const { writeSync } = FS; writeSync(3, JSON.stringify({ ms, names, changed }));`;
  const program =
    how === 'import'
      ? `${probe(`await import(${id})`)}${report.replace('FS', `await import('node:fs')`)}`
      : `${probe(`require(${id})`)}${report.replace('FS', `require('node:fs')`)}`;
  const env = { PATH: process.env.PATH };
  const args = [`--input-type=${how === 'import' ? 'module' : 'commonjs'}`, '-e', program];
  const result = await run(node, args, { cwd, env, timeoutMs: 60_000, channel: true });
  const printed = (result.stdout + result.stderr).trim();
  if (result.code !== 0 || printed !== '') {
    return { ms: 0, names: [], problem: `${how} of ${specifier} ended with ${result.code}: ${printed.slice(0, 800) || 'no output'}` };
  }
  const { ms, names, changed } = JSON.parse(result.channel);
  return changed.length > 0 ? { ms, names, problem: `${how} of ${specifier} changed ${changed.join(' and ')}` } : { ms, names };
}
