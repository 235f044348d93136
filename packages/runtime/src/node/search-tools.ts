import { stat } from 'node:fs/promises';
import type { ITool, ToolResult } from '@x/core';
import { shown } from './confine.js';
import { atPath } from './file-tools.js';
import { type GlobPattern, globPattern } from './glob-pattern.js';
import { withMatcher } from './match-apart.js';
import { MAX_READ_BYTES, readText } from './read-text.js';
import { walkFiles } from './walk-files.js';

/** Files that one search looks at. The figure is ours. */
const MAX_FILES = 20_000;
const MAX_PATHS = 500;
const MAX_MATCHES = 200;
const MAX_LINE_CHARS = 400;
/** Characters of a line that a pattern is tried on. */
const MAX_TRIED_CHARS = 2000;
const TOO_SLOW = 'The pattern takes too long. Write it flatter: no repetition inside a repetition, fewer wildcards.';

const failed = (output: string): ToolResult => ({ output, isError: true });

export function globTool(root: string): ITool<{ pattern: string; path?: string }> {
  return {
    name: 'glob',
    description: `Lists files by a pattern such as src/**/*.ts; at most ${MAX_PATHS}. Skips node_modules and version control folders.`,
    inputSchema: {
      type: 'object',
      properties: { pattern: { type: 'string' }, path: { type: 'string', description: 'folder to look in, default the working folder' } },
      required: ['pattern'],
    },
    repeat: 'idempotent',
    execute: ({ pattern, path = '.' }, { signal }) =>
      atPath(root, path, async (folder) => {
        const glob = globPattern(String(pattern));
        if (!glob) return failed('The pattern is too long, nests too deep or holds a range that is none.');
        const { files, notes } = await filesOf(folder, signal);
        const fit = await withMatcher(signal, (matcher) => matcher.match(glob.expression, subjects(files, folder, glob), MAX_PATHS + 1));
        if (!fit) return failed(TOO_SLOW);
        const found = fit.slice(0, MAX_PATHS).map((index) => shown(root, files[index]!));
        if (fit.length > MAX_PATHS) found.push(`(more than ${MAX_PATHS} files; narrow the pattern)`);
        return answer(found, 'no files', notes);
      }),
  };
}

export function grepTool(root: string): ITool<{ pattern: string; path?: string; include?: string; ignoreCase?: boolean }> {
  return {
    name: 'grep',
    description: `Finds lines by a regular expression; at most ${MAX_MATCHES}, as path:line: text. Skips binary files.`,
    inputSchema: {
      type: 'object',
      properties: {
        pattern: { type: 'string' },
        path: { type: 'string', description: 'file or folder, default the working folder' },
        include: { type: 'string', description: 'only files that fit this pattern, such as *.md' },
        ignoreCase: { type: 'boolean' },
      },
      required: ['pattern'],
    },
    repeat: 'idempotent',
    execute: ({ pattern, path = '.', include, ignoreCase = false }, { signal }) =>
      atPath(root, path, async (real) => {
        const expression = readExpression(String(pattern), ignoreCase === true);
        if ('problem' in expression) return failed(expression.problem);
        const glob = include === undefined ? undefined : globPattern(String(include));
        if (include !== undefined && !glob) return failed('include is too long, nests too deep or holds a range that is none.');
        const isFolder = (await stat(real)).isDirectory();
        const { files, notes } = isFolder ? await filesOf(real, signal) : { files: [real], notes: [] };
        return withMatcher(signal, async (matcher) => {
          const wanted = glob && isFolder ? await matcher.match(glob.expression, subjects(files, real, glob), files.length) : files.keys();
          if (!wanted) return failed(TOO_SLOW);
          const found: string[] = [];
          let tooLarge = 0;
          let cutLines = 0;
          for (const index of wanted) {
            const file = files[index]!;
            const read = await readText(file, signal);
            if ('problem' in read) {
              if (!isFolder) return failed(`${path}: ${read.problem}`);
              if (read.isTooLarge) tooLarge += 1;
              continue;
            }
            const lines = read.text.split(/\r?\n/);
            cutLines += lines.filter((line) => line.length > MAX_TRIED_CHARS).length;
            const most = MAX_MATCHES + 1 - found.length;
            const fit = await matcher.match(
              expression,
              lines.map((line) => line.slice(0, MAX_TRIED_CHARS)),
              most,
            );
            if (!fit) return failed(`${shown(root, file)}: ${TOO_SLOW}`);
            for (const at of fit) found.push(`${shown(root, file)}:${at + 1}: ${cut(lines[at]!)}`);
            if (found.length > MAX_MATCHES) {
              return `${found.slice(0, MAX_MATCHES).join('\n')}\n(more than ${MAX_MATCHES} lines; narrow the pattern)`;
            }
          }
          if (tooLarge > 0) notes.push(`(${tooLarge} files above ${MAX_READ_BYTES} bytes were not searched)`);
          if (cutLines > 0) notes.push(`(of ${cutLines} lines only the first ${MAX_TRIED_CHARS} characters were searched)`);
          return answer(found, 'no matches', notes);
        });
      }),
  };
}

/** All files below a folder, at most as many as one search looks at, and what is to be said of the others. */
async function filesOf(
  folder: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly files: readonly string[]; readonly notes: string[] }> {
  const files: string[] = [];
  for await (const file of walkFiles(folder, signal)) {
    if (files.length === MAX_FILES) return { files, notes: [`(only the first ${MAX_FILES} files were looked at; narrow the path)`] };
    files.push(file);
  }
  return { files, notes: [] };
}

// What was not looked at is told, so that nobody takes silence about it for an answer.
const answer = (found: readonly string[], none: string, notes: readonly string[]): string =>
  [...(found.length > 0 ? found : [none]), ...notes].join('\n');

function subjects(files: readonly string[], folder: string, glob: GlobPattern): readonly string[] {
  return files.map((file) => glob.subject(shown(folder, file)));
}

function readExpression(source: string, ignoreCase: boolean): RegExp | { readonly problem: string } {
  if (source === '' || source.length > 500) return { problem: 'The pattern must have 1 to 500 characters.' };
  try {
    return new RegExp(source, ignoreCase ? 'i' : '');
  } catch (error) {
    return { problem: `The pattern is no regular expression: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function cut(line: string): string {
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)} … (line cut)` : line;
}
