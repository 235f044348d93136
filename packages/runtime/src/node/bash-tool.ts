import { type ChildProcess, spawn } from 'node:child_process';
import { kill } from 'node:process';
import type { ITool, ToolResult } from '@x/core';
import type { ShellOptions } from '../create-toolkit.js';
import { strippedEnv } from './stripped-env.js';

/** Bytes of output that are kept while a command runs, at most. The figure is ours. */
const MAX_KEPT = 2_000_000;

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
    description: `Runs a shell command in the working folder. Ends after ${timeoutMs / 1000} seconds; output above ${maxOutputChars} characters loses its middle.`,
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
    const chunks: Buffer[] = [];
    let size = 0;
    let late = false;
    const keep = (chunk: Buffer): void => {
      if (size < MAX_KEPT) chunks.push(chunk);
      size += chunk.length;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const stop = (): void => killGroup(child);
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    child.on('error', (error) => {
      end();
      reject(error);
    });
    child.on('close', (code, killed) => {
      end();
      if (signal?.aborted) return reject(signal.reason);
      const output = shorten(Buffer.concat(chunks).toString('utf8'), maxOutputChars, size > MAX_KEPT);
      if (late) return resolve({ output: `${output}\n(stopped after ${timeoutMs} ms)`, isError: true });
      if (code === 0) return resolve(output || '(no output)');
      resolve({ output: `${output}\n(exit ${code ?? killed})`, isError: true, metadata: { exitCode: code } });
    });
  });
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
