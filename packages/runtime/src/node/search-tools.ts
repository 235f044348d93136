import { stat } from 'node:fs/promises';
import type { ITool, ToolResult } from '@x/core';
import { shown } from './confine.js';
import { atPath } from './file-tools.js';
import { globPattern } from './glob-pattern.js';
import { readText } from './read-text.js';
import { safePattern } from './safe-pattern.js';
import { walkFiles } from './walk-files.js';

const MAX_PATHS = 500;
const MAX_MATCHES = 200;
const MAX_LINE_CHARS = 400;

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
        const fits = globPattern(String(pattern));
        if (!fits) return failed('The pattern is too long or nests too deep.');
        const found: string[] = [];
        for await (const file of walkFiles(folder, signal)) {
          if (!fits(shown(folder, file))) continue;
          if (found.length === MAX_PATHS) return `${found.join('\n')}\n(more than ${MAX_PATHS} files; narrow the pattern)`;
          found.push(shown(root, file));
        }
        return found.join('\n') || 'no files';
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
        const safe = safePattern(String(pattern), ignoreCase === true);
        if ('problem' in safe) return failed(safe.problem);
        const fits = include === undefined ? () => true : globPattern(String(include));
        if (!fits) return failed('include is too long or nests too deep.');
        const found: string[] = [];
        const isFolder = (await stat(real)).isDirectory();
        for await (const file of isFolder ? walkFiles(real, signal) : [real]) {
          if (isFolder && !fits(shown(real, file))) continue;
          const read = await readText(file, signal);
          if ('problem' in read) continue;
          for (const [index, line] of read.text.split('\n').entries()) {
            if (!safe.test(line.slice(0, 2000))) continue;
            if (found.length === MAX_MATCHES) return `${found.join('\n')}\n(more than ${MAX_MATCHES} lines; narrow the pattern)`;
            found.push(
              `${shown(root, file)}:${index + 1}: ${line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)} … (line cut)` : line}`,
            );
          }
        }
        return found.join('\n') || 'no matches';
      }),
  };
}
