import type { PgBoss } from 'pg-boss';
import { EngineTooOldError } from '../engine/engine-errors.js';
import { StoreDriverMissingError } from '../errors.js';

export type PgBossClass = typeof PgBoss;

const NODE_NEEDED = '22.12.0';
const PG_BOSS_NEEDED = '12.38.0';

/**
 * Loads pg-boss.
 *
 * @param versions - For tests: what is taken to run here.
 * @throws {@link EngineTooOldError} Node before 22.12 or pg-boss before 12.38; {@link StoreDriverMissingError} it is not installed.
 */
export async function loadPgBoss({
  node = globalThis.process.versions.node,
  load = loadInstalled,
}: {
  readonly node?: string | undefined;
  readonly load?: (() => Promise<{ readonly version: string; readonly PgBoss: () => Promise<PgBossClass> }>) | undefined;
} = {}): Promise<PgBossClass> {
  if (isBefore(node, NODE_NEEDED)) throw new EngineTooOldError({ what: 'Node', found: node, needed: NODE_NEEDED });
  let installed: Awaited<ReturnType<typeof load>>;
  try {
    installed = await load();
  } catch (cause) {
    throw new StoreDriverMissingError({ driver: 'pg-boss', install: 'npm install pg-boss@12 pg@8', cause });
  }
  const { version } = installed;
  if (isBefore(version, PG_BOSS_NEEDED)) throw new EngineTooOldError({ what: 'pg-boss', found: version, needed: PG_BOSS_NEEDED });
  return installed.PgBoss();
}

// The version is read before the code is: an older Node must not meet syntax that it does not know.
async function loadInstalled() {
  const { default: manifest } = await import('pg-boss/package.json', { with: { type: 'json' } });
  return { version: manifest.version, PgBoss: async () => (await import('pg-boss')).PgBoss };
}

/** Compares versions by their three numbers. */
export function isBefore(version: string, needed: string): boolean {
  const numbers = (text: string): number[] => text.replace(/^v/, '').split(/[.+-]/, 3).map(Number);
  const [a, b] = [numbers(version), numbers(needed)];
  const index = b.findIndex((part, place) => part !== a[place]);
  return index >= 0 && !((a[index] ?? 0) > (b[index] ?? 0));
}
