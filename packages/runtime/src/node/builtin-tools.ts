import { cwd } from 'node:process';
import type { ITool } from '@x/core';
import type { BuiltinOptions } from '../create-toolkit.js';
import { bashTool } from './bash-tool.js';
import { realRoot } from './confine.js';
import { editTool, readTool, writeTool } from './file-tools.js';
import { createPathQueue } from './path-queue.js';
import { globTool, grepTool } from './search-tools.js';

/** The built-in tools that these options allow. @throws `invalid_argument` when the root is no folder. */
export function builtinTools({ root: given, allowWrite = false, shell = false }: BuiltinOptions = {}): readonly ITool[] {
  const root = realRoot(given ?? cwd());
  const queue = createPathQueue();
  return [
    readTool(root),
    globTool(root),
    grepTool(root),
    ...(allowWrite ? [writeTool(root, queue), editTool(root, queue)] : []),
    ...(shell ? [bashTool(root, shell === true ? {} : shell)] : []),
  ] as readonly ITool[];
}
