import { type ChildProcess, spawn } from 'node:child_process';
import { kill } from 'node:process';
import type { ITool, ToolResult } from '@x/core';
import type { ShellOptions } from '../create-toolkit.js';
import { strippedEnv } from './stripped-env.js';

/** Bytes of output that are kept while a command runs, at most. The figure is ours. */
const MAX_KEPT = 2_000_000;
/** How long pipes are read after the shell has ended, for a process that left its group and holds them. The figure is ours. */
const DRAIN_MS = 500;
/** What a command that is late needs to be stopped and to tell what it said, before the runner gives it up. The figure is ours. */
const STOP_MS = 5_000;

/**
 * Runs shell commands in the root, with a stripped environment. No sandbox: a command may read and write whatever this
 * process may. A host guards it with a `beforeTool` hook.
 */
export function bashTool(
  root: string,
  { env, timeoutMs = 120_000, maxOutputChars = 30_000 }: ShellOptions = {},
): ITool<{ command: string }> {
  return {
    name: 'bash',
    description: `Runs a shell command in the working folder. Ends after ${timeoutMs / 1000} seconds; output above ${maxOutputChars} characters loses its middle. What is left in the background is stopped at the end.`,
    timeoutMs: timeoutMs + STOP_MS,
    inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
    execute: ({ command }, { signal }) =>
      typeof command === 'string' && command !== ''
        ? runCommand(command, { root, env: strippedEnv(root, env), timeoutMs, maxOutputChars, signal })
        : { output: 'command must be a text that is not empty.', isError: true },
  };
}

interface CommandOptions {
  readonly root: string;
  readonly env: Record<string, string>;
  readonly timeoutMs: number;
  readonly maxOutputChars: number;
  readonly signal: AbortSignal | undefined;
}

function runCommand(command: string, { root, env, timeoutMs, maxOutputChars, signal }: CommandOptions): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    // An own process group, so that children of the command end with it.
    const child = spawn('/bin/sh', ['-c', command], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = createOutput();
    let late = false;
    let drained: NodeJS.Timeout | undefined;
    child.stdout.on('data', output.add);
    child.stderr.on('data', output.add);
    const stop = (): void => killGroup(child);
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    const end = (): void => {
      clearTimeout(timer);
      clearTimeout(drained);
      signal?.removeEventListener('abort', stop);
    };
    child.on('error', (error) => {
      end();
      reject(error);
    });
    child.on('exit', () => {
      stop(); // what the shell left in the background holds its pipes open
      drained = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, DRAIN_MS);
    });
    child.on('close', (code, killed) => {
      end();
      if (signal?.aborted) return reject(signal.reason);
      const text = shorten(output.text(), maxOutputChars, output.lost());
      if (late) return resolve({ output: `${text}\n(stopped after ${timeoutMs} ms)`, isError: true });
      if (code === 0) return resolve(text || '(no output)');
      resolve({ output: `${text}\n(exit ${code ?? killed})`, isError: true, metadata: { exitCode: code } });
    });
  });
}

/** Keeps the first and the last part of what comes in, each up to half of what is kept at most. */
function createOutput() {
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let headBytes = 0;
  let tailBytes = 0;
  let lost = false;
  return {
    add(chunk: Buffer): void {
      const room = Math.max(0, MAX_KEPT / 2 - headBytes);
      const [first, rest] = [chunk.subarray(0, room), chunk.subarray(room)];
      head.push(first);
      headBytes += first.length;
      if (rest.length === 0) return;
      tail.push(rest);
      tailBytes += rest.length;
      while (tailBytes - tail[0]!.length >= MAX_KEPT / 2) {
        tailBytes -= tail.shift()!.length;
        lost = true;
      }
    },
    text: () => Buffer.concat([...head, ...tail]).toString('utf8'),
    lost: () => lost,
  };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

function shorten(text: string, maxChars: number, lost: boolean): string {
  const trimmed = text.replace(/\s+$/, '');
  if (trimmed.length <= maxChars && !lost) return trimmed;
  const half = Math.floor(maxChars / 2);
  const head = trimmed.slice(0, half);
  const tail = trimmed.length > half ? trimmed.slice(-Math.min(half, trimmed.length - half)) : '';
  return `${head.replace(/[\uD800-\uDBFF]$/, '')}\n… (output cut) …\n${tail.replace(/^[\uDC00-\uDFFF]/, '')}`;
}
