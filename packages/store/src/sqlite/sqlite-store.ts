import { type Clock, createId, InvalidArgumentError, laneKey, type Random, systemClock } from '@x/core';
import { laneNames } from '../commit-plan.js';
import { type DurableStore, type ForgetScope, type StoreEvent, tell } from '../durable-store.js';
import { idText } from '../id-text.js';
import { createConnection, filesSetAside, type Prepare } from './connection.js';
import type { OpenDatabase } from './driver.js';
import { findLane } from './lane-rows.js';
import { openLane } from './open-lane.js';
import { createSchedule } from './schedule.js';

export interface SqliteStoreOptions {
  /** The database file; made with its directories when missing, readable by its owner only. `:memory:` lives as long as the store. */
  readonly path: string;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  /** Days that journal entries are kept; default 30, `Infinity` for always. */
  readonly retentionDays?: number | undefined;
  /** Milliseconds until a locked database is `store_busy`; default 5,000. The event loop runs on meanwhile. */
  readonly busyTimeoutMs?: number | undefined;
  /**
   * `full` (default): a commit survives a power cut. `normal`: it survives the death of the process, and a power cut may
   * take the last ones, whole; a commit is then several times faster.
   */
  readonly durability?: 'full' | 'normal' | undefined;
  /**
   * An unreadable file is renamed to `<path>.corrupt-<date>`. `fail` (default): the store then refuses with `store_corrupt`
   * until a good copy stands at `path`. `empty`: it refuses once and begins anew.
   */
  readonly onCorrupt?: 'fail' | 'empty' | undefined;
  readonly onEvent?: ((event: StoreEvent) => void) | undefined;
  /** Another way to open a database; default better-sqlite3, else `node:sqlite`. */
  readonly driver?: (() => Promise<OpenDatabase>) | undefined;
}

const DAY_MS = 86_400_000;
const PRUNE_EVERY_MS = 3_600_000;

/**
 * Keeps agents in one SQLite file. Several processes may share it; the file is opened on first use.
 *
 * @throws `invalid_argument` at once. Its methods: `store_driver_missing`, `store_busy`, `store_corrupt`, `store_closed`,
 * `store_failed`, `store_version_unsupported`, and what `IAgentStore` says.
 */
export function sqliteStore({
  path,
  clock = systemClock,
  random = Math.random,
  retentionDays = 30,
  busyTimeoutMs = 5000,
  durability = 'full',
  onCorrupt = 'fail',
  onEvent,
  driver,
}: SqliteStoreOptions): DurableStore {
  if (typeof path !== 'string' || path.trim() === '') throw new InvalidArgumentError('path: name the database file.');
  if (/^file:/i.test(path)) throw new InvalidArgumentError('path: name the database file by its path, not by a URL.');
  if (durability !== 'full' && durability !== 'normal') throw new InvalidArgumentError("durability is 'full' or 'normal'.");
  if (onCorrupt !== 'fail' && onCorrupt !== 'empty') throw new InvalidArgumentError("onCorrupt is 'fail' or 'empty'.");
  if (!(retentionDays > 0)) throw new InvalidArgumentError(`retentionDays must be above 0, got ${retentionDays}.`);
  if (!(busyTimeoutMs >= 0)) throw new InvalidArgumentError(`busyTimeoutMs must be 0 or more, got ${busyTimeoutMs}.`);
  const connection = createConnection({ path, clock, random, busyTimeoutMs, durability, onCorrupt, onEvent, driver });
  let nextPruneMs = Number.NEGATIVE_INFINITY;
  const prune = (prepare: Prepare): void => {
    const now = clock.now();
    if (retentionDays === Number.POSITIVE_INFINITY || now < nextPruneMs) return;
    nextPruneMs = now + PRUNE_EVERY_MS;
    prepare('DELETE FROM journal WHERE at_ms < ?').run(now - retentionDays * DAY_MS);
  };
  let erasures = 0;
  const newId = (prefix: string): string => createId(prefix, random);
  const context = { connection, now: () => clock.now(), newId, prune, erasures: () => erasures, onEvent };
  return {
    schedule: createSchedule(connection),
    async open(scope, { initial } = {}) {
      return openLane(context, scope, initial);
    },
    async takeFence(scope) {
      const names = laneNames(scope);
      return connection.write((prepare) => {
        const { id, head } = findLane(prepare, names.key);
        const fence = head.fence + 1;
        if (id === undefined)
          prepare("INSERT INTO lane (key, owner, revision, fence, events, batches) VALUES (?, ?, 0, ?, '[]', '[]')").run(
            names.key,
            names.owner,
            fence,
          );
        else prepare('UPDATE lane SET fence = ? WHERE id = ?').run(fence, id);
        return fence;
      });
    },
    async forget(scope) {
      await connection.write((prepare) => forget(prepare, scope));
      erasures += 1;
      await connection.checkpoint();
      const setAside = filesSetAside(path);
      if (setAside.length > 0) tell(onEvent, { type: 'set_aside_remains', setAside });
    },
    close: () => connection.close(),
  };
}

function forget(prepare: Prepare, scope: ForgetScope): void {
  const one = 'directory' in scope || scope.session !== undefined;
  const [column, value] = one
    ? ['key', laneKey(scope as Parameters<typeof laneKey>[0])]
    : ['owner', laneNames({ ...scope, session: '' }).owner];
  const lanes = prepare(`SELECT id FROM lane WHERE ${column} = ?`).all(value) as { id: number }[];
  for (const { id } of lanes) {
    for (const table of ['message', 'page', 'fold', 'block'])
      prepare(`DELETE FROM ${table} WHERE conversation IN (SELECT id FROM conversation WHERE lane = ?)`).run(id);
    for (const table of ['conversation', 'operation', 'journal', 'turn', 'set_aside'])
      prepare(`DELETE FROM ${table} WHERE lane = ?`).run(id);
    prepare('DELETE FROM lane WHERE id = ?').run(id);
  }
  // A lane that never committed may have entries too; of all sessions of a user the keys begin with the owner.
  const own = idText(value);
  const start = one ? `${own}#` : own;
  prepare('DELETE FROM schedule WHERE key = ? OR substr(key, 1, ?) = ?').run(own, [...start].length, start);
}
