import { type ITool, isAgentosError, type ToolResult } from '@x/core';
import { confine, shown } from './confine.js';
import { createPathQueue, type PathQueue } from './path-queue.js';
import { isPersonaFile } from './persona-files.js';
import { describe, isUnchanged, readText, type TextFile } from './read-text.js';
import { writeWhole } from './write-whole.js';

/** Characters of a file that one `read` gives; more is asked for with `offset`. The figure is ours. */
const MAX_READ_CHARS = 50_000;
const MAX_READ_LINES = 2000;
const MAX_WRITE_CHARS = 1_000_000;

/** How often an edit is made because somebody else saved the file meanwhile. The figure is ours. */
const DRIFT_TRIES = 8;
const READ_ONLY = 'It is marked as read-only.';

// A rename does not ask for the right to write, but whoever took it from everybody wanted the file kept.
const isReadOnly = ({ mode }: TextFile): boolean => (mode & 0o222) === 0;

const failed = (output: string): ToolResult => ({ output, isError: true });

/** Runs a file tool with its path checked; every failure is a result that names the path as the model wrote it. */
export async function atPath(root: string, path: unknown, work: (real: string) => Promise<ToolResult>): Promise<ToolResult> {
  if (typeof path !== 'string' || path === '') return failed('path must be a text that is not empty.');
  try {
    return await work(confine(root, path));
  } catch (error) {
    if (isAgentosError(error) && error.code === 'outside_root') return failed(`${path.slice(0, 200)}: ${error.message}`);
    if (typeof (error as NodeJS.ErrnoException)?.code === 'string') return failed(`${path.slice(0, 200)}: ${describe(error)}`);
    throw error;
  }
}

/**
 * As {@link atPath}, for a tool that writes: one at a time on a file, as the calls of a step run side by side. What makes a
 * persona is refused, by whatever link or spelling it is reached.
 */
function atWritable(
  { root, queue, signal }: { readonly root: string; readonly queue: PathQueue; readonly signal: AbortSignal | undefined },
  path: unknown,
  work: (real: string) => Promise<ToolResult>,
): Promise<ToolResult> {
  return atPath(root, path, async (real) =>
    isPersonaFile(real)
      ? failed(
          `${String(path).slice(0, 200)}: It is part of a persona, and these tools do not write that. Notes go through the memory tool.`,
        )
      : queue(real, () => work(real), signal),
  );
}

export function readTool(root: string): ITool<{ path: string; offset?: number; limit?: number }> {
  return {
    name: 'read',
    description: `Reads a text file. Lines are numbered from 1. At most ${MAX_READ_LINES} lines or ${MAX_READ_CHARS} characters at a time; go on with offset.`,
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'relative to the working folder' },
        offset: { type: 'integer', minimum: 1, description: 'first line, default 1' },
        limit: { type: 'integer', minimum: 1, description: `lines, default ${MAX_READ_LINES}` },
      },
      required: ['path'],
    },
    repeat: 'idempotent',
    execute: ({ path, offset = 1, limit = MAX_READ_LINES }, { signal }) =>
      atPath(root, path, async (real) => {
        const read = await readText(real, signal);
        if ('problem' in read) return failed(`${path}: ${read.problem}`);
        const lines = read.text.split('\n');
        if (lines.at(-1) === '') lines.pop();
        const from = Math.max(1, Math.floor(Number(offset)) || 1);
        if (from > lines.length) return lines.length === 0 ? '(the file is empty)' : failed(`${path} has ${lines.length} lines.`);
        return numbered(lines, from, Math.min(MAX_READ_LINES, Math.max(1, Math.floor(Number(limit)) || 1)));
      }),
  };
}

function numbered(lines: readonly string[], from: number, limit: number): string {
  let shownLines = 0;
  let chars = 0;
  const kept: string[] = [];
  for (const line of lines.slice(from - 1, from - 1 + limit)) {
    const text = `${from + shownLines}\t${line}`;
    if (chars + text.length > MAX_READ_CHARS) {
      if (kept.length === 0) kept.push(`${text.slice(0, MAX_READ_CHARS)} … (line cut)`);
      break;
    }
    kept.push(text);
    chars += text.length + 1;
    shownLines += 1;
  }
  const last = from - 1 + kept.length;
  return last < lines.length
    ? `${kept.join('\n')}\n(lines ${from} to ${last} of ${lines.length}; go on with offset ${last + 1})`
    : kept.join('\n');
}

/** @param queue - Shared with the other tools that write below the same root. */
export function writeTool(root: string, queue: PathQueue = createPathQueue()): ITool<{ path: string; content: string }> {
  return {
    name: 'write',
    description: 'Writes a whole text file, replacing what was there. Folders are made.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
    },
    repeat: 'idempotent',
    execute: ({ path, content }, { signal }) =>
      atWritable({ root, queue, signal }, path, async (real) => {
        if (typeof content !== 'string') return failed('content must be a text.');
        if (content.length > MAX_WRITE_CHARS) return failed(`content has ${content.length} characters; at most ${MAX_WRITE_CHARS} fit.`);
        const old = await readText(real);
        if ('problem' in old) {
          if (old.problem !== 'It does not exist.') return failed(`${path}: ${old.problem}`);
          await writeWhole(real, content);
        } else if (isReadOnly(old)) return failed(`${path}: ${READ_ONLY}`);
        else await writeWhole(real, content, { mode: old.mode });
        return `wrote ${shown(root, real)} (${content.length} characters)`;
      }),
  };
}

/** @param queue - Shared with the other tools that write below the same root. */
export function editTool(
  root: string,
  queue: PathQueue = createPathQueue(),
): ITool<{ path: string; old: string; new: string; all?: boolean }> {
  return {
    name: 'edit',
    description: 'Replaces a piece of a text file. `old` must stand in the file exactly once, unless all is true.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, old: { type: 'string' }, new: { type: 'string' }, all: { type: 'boolean' } },
      required: ['path', 'old', 'new'],
    },
    execute: ({ path, old, new: next, all = false }, { signal }) =>
      atWritable({ root, queue, signal }, path, async (real) => {
        if (typeof old !== 'string' || old === '') return failed('old must be a text that is not empty.');
        if (typeof next !== 'string') return failed('new must be a text.');
        for (let attempt = 1; attempt <= DRIFT_TRIES; attempt += 1) {
          const read = await readText(real);
          if ('problem' in read) return failed(`${path}: ${read.problem}`);
          if (isReadOnly(read)) return failed(`${path}: ${READ_ONLY}`);
          if (!read.isExact) return failed(`${path}: It is not UTF-8, so an edit would damage what it does not touch.`);
          const found = matching(read.text, old);
          if (!found) return failed(`${path}: the old text is not in the file. Read it again.`);
          const pieces = read.text.split(found);
          const times = pieces.length - 1;
          if (times > 1 && !all)
            return failed(`${path}: the old text stands there ${times} times. Give more of its surroundings, or all: true.`);
          const put = found === old ? next : next.replace(/\r?\n/g, '\r\n');
          // A human or another process may save the file too: the edit is made on what stands there then.
          if (await writeWhole(real, pieces.join(put), { mode: read.mode, mayReplace: () => isUnchanged(real, read) }))
            return `replaced ${times} in ${shown(root, real)}`;
        }
        return failed(`${path}: somebody else keeps changing the file. Read it again.`);
      }),
  };
}

/** The text as it stands in the file; a file with CRLF is matched by LF too. */
function matching(text: string, old: string): string | undefined {
  if (text.includes(old)) return old;
  const crlf = old.replace(/\r?\n/g, '\r\n');
  return crlf !== old && text.includes(crlf) ? crlf : undefined;
}
