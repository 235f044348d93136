import type { PgBoss } from 'pg-boss';
import { EngineTooOldError } from '../engine/engine-errors.js';
import { StoreDriverMissingError } from '../errors.js';

export type PgBossClass = typeof PgBoss;

/** What is looked at in pg-boss before it is used. */
export interface PgBossModule {
  readonly PgBoss?: PgBossClass | undefined;
  readonly policies?: { readonly [name: string]: string } | undefined;
}

const NODE_NEEDED = '22.12.0';
const PG_BOSS_NEEDED = '12.38.0';

/**
 * Loads pg-boss.
 *
 * @param here - For tests: what is taken to run here.
 * @throws {@link EngineTooOldError} Node before 22.12, or a pg-boss without strict order per key;
 * {@link StoreDriverMissingError} it is not installed.
 */
export async function loadPgBoss({
  node = globalThis.process.versions.node,
  load = () => import('pg-boss'),
}: {
  readonly node?: string | undefined;
  readonly load?: (() => Promise<PgBossModule>) | undefined;
} = {}): Promise<PgBossClass> {
  // Before pg-boss is loaded: an older Node must not meet syntax that it does not know.
  if (isBefore(node, NODE_NEEDED)) throw new EngineTooOldError({ what: 'Node', found: node, needed: NODE_NEEDED });
  let found: PgBossModule;
  try {
    found = await load();
  } catch (cause) {
    throw new StoreDriverMissingError({ driver: 'pg-boss', install: 'npm install pg-boss@12 pg@8', cause });
  }
  if (!found.PgBoss || found.policies?.['key_strict_fifo'] === undefined) throw tooOld('a version without strict order per key');
  return found.PgBoss;
}

/**
 * Asks a started pg-boss whether it tells the attempts of a job apart, which is what keeps a worker whose lease is over
 * from ending the work of its successor.
 *
 * @throws {@link EngineTooOldError} it does not.
 */
export async function checkAttempts(boss: Pick<PgBoss, 'touch'>, queue: string): Promise<void> {
  try {
    await boss.touch(queue, { id: '00000000-0000-8000-a000-000000000000', retryCount: 0 });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ERR_ASSERTION') throw tooOld('a version that does not tell attempts apart');
    throw error;
  }
}

function tooOld(found: string): EngineTooOldError {
  return new EngineTooOldError({ what: 'pg-boss', found, needed: PG_BOSS_NEEDED });
}

/** Compares versions by their three numbers. */
export function isBefore(version: string, needed: string): boolean {
  const numbers = (text: string): number[] => text.replace(/^v/, '').split(/[.+-]/, 3).map(Number);
  const [a, b] = [numbers(version), numbers(needed)];
  const index = b.findIndex((part, place) => part !== a[place]);
  return index >= 0 && !((a[index] ?? 0) > (b[index] ?? 0));
}
