import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AgentosError, InvalidArgumentError } from '@x/core';

/** A path that a tool may not touch; the text is for the model and names no path outside the root. */
export class OutsideRootError extends AgentosError {
  override readonly name = 'OutsideRootError';
  readonly code = 'outside_root';
  readonly retryable = false;
}

/** @throws {@link InvalidArgumentError} the root is no folder. */
export function realRoot(root: string): string {
  try {
    const real = realpathSync(root);
    if (lstatSync(real).isDirectory()) return real;
  } catch {
    // falls through to the error below
  }
  throw new InvalidArgumentError('createToolkit: root must be a folder that exists.');
}

/**
 * Turns a path that a model wrote into a real one inside the root. Links are followed before the check, so one that
 * leads outside is refused; parts that do not exist yet are added to the deepest folder that does.
 *
 * @throws {@link OutsideRootError}
 */
export function confine(root: string, path: string): string {
  if (path.includes('\0')) throw new OutsideRootError('The path holds a zero byte.');
  const target = isAbsolute(path) ? resolve(path) : resolve(root, path);
  const real = realOf(target);
  const inside = relative(root, real);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw new OutsideRootError('The path leads out of the folder that these tools may use. Use a path inside it.');
  }
  return real;
}

/** How a path is shown to the model: relative to the root, with slashes. */
export function shown(root: string, path: string): string {
  return relative(root, path).split(sep).join('/') || '.';
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw new OutsideRootError('The path cannot be resolved.');
  }
  // A dangling link would be created where it points to: its own place is not where the write would land.
  if (isLink(path)) throw new OutsideRootError('The path is a link that leads nowhere.');
  const parent = dirname(path);
  return parent === path ? path : join(realOf(parent), path.slice(parent.endsWith(sep) ? parent.length : parent.length + 1));
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
