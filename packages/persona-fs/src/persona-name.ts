import { basename } from 'node:path';
import { sha256 } from './sha256.js';

/**
 * The id of a persona from its directory's name: letters, digits, dashes and underscores, at most 48. Other characters
 * become dashes; a name of which nothing is left gets the start of its hash.
 */
export function personaIdOf(realDirPath: string): string {
  const base = basename(realDirPath);
  const plain = base
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 48);
  return plain === '' ? `persona-${sha256(base).slice(0, 8)}` : plain;
}
