import { type AgentState, type Clock, createId, InvalidArgumentError, type LaneScope, laneKey, type Random, systemClock } from '@x/core';
import { laneNames } from '../commit-plan.js';
import { type DurableStore, type ForgetScope, type StoreEvent, tell } from '../durable-store.js';
import { idText } from '../id-text.js';
import type { PgPool, Query } from './client.js';
import { createConnection } from './connection.js';
import { openLane, type PostgresLane } from './open-lane.js';
import { createSchedule } from './schedule.js';
import { prepareSchema } from './schema.js';

export interface PostgresStoreOptions {
  /** A `pg.Pool` of the host, which the host ends; else give `connectionString`. */
  readonly pool?: PgPool | undefined;
  /** Such as `postgres://user@host:5432/name`. */
  readonly connectionString?: string | undefined;
  /** Connections of the store's own pool; default 10. */
  readonly maxConnections?: number | undefined;
  /** The schema that holds the tables, made when missing; default `agentos`. Lower-case letters, digits, `_`. */
  readonly schema?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  /** Days that journal entries are kept; default 30, `Infinity` for always. */
  readonly retentionDays?: number | undefined;
  /** Milliseconds until a locked lane is `store_busy`, and until the server ends a commit that its process does not go on with; default 5,000. */
  readonly busyTimeoutMs?: number | undefined;
  readonly onEvent?: ((event: StoreEvent) => void) | undefined;
}

/** Agents in PostgreSQL. */
export interface PostgresStore extends DurableStore {
  open(scope: LaneScope, options?: { readonly initial?: Partial<AgentState> | undefined }): Promise<PostgresLane>;
  /** Runs work in a transaction of this store's database; `schema` is where its tables are. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  readonly schema: string;
}

const DAY_MS = 86_400_000;
const PRUNE_EVERY_MS = 3_600_000;

/**
 * Keeps agents in PostgreSQL 13 or newer, for any number of processes. Connects on first use.
 *
 * @throws `invalid_argument` at once. Its methods: `store_driver_missing`, `store_busy`, `store_closed`, `store_failed`,
 * `store_version_unsupported`, and what `IAgentStore` says.
 */
export function postgresStore({
  pool,
  connectionString,
  maxConnections = 10,
  schema = 'agentos',
  clock = systemClock,
  random = Math.random,
  retentionDays = 30,
  busyTimeoutMs = 5000,
  onEvent,
}: PostgresStoreOptions): PostgresStore {
  if (!pool && !connectionString) throw new InvalidArgumentError('Give a pool or a connectionString.');
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new InvalidArgumentError('schema: lower-case letters, digits and _, at most 63.');
  if (!(retentionDays > 0)) throw new InvalidArgumentError(`retentionDays must be above 0, got ${retentionDays}.`);
  if (!Number.isSafeInteger(busyTimeoutMs) || busyTimeoutMs < 1)
    throw new InvalidArgumentError(`busyTimeoutMs must be a whole number above 0, got ${busyTimeoutMs}.`);
  const connection = createConnection({
    pool,
    connectionString,
    maxConnections,
    busyTimeoutMs,
    prepare: (transaction) => prepareSchema(transaction, schema, (from, to) => tell(onEvent, { type: 'migrated', from, to })),
  });
  let erasures = 0;
  const newId = (prefix: string): string => createId(prefix, random);
  const context = { connection, schema, now: () => clock.now(), newId, erasures: () => erasures, onEvent };
  let nextPruneMs = Number.NEGATIVE_INFINITY;
  const prune = async (): Promise<void> => {
    const now = clock.now();
    if (retentionDays === Number.POSITIVE_INFINITY || now < nextPruneMs) return;
    nextPruneMs = now + PRUNE_EVERY_MS;
    try {
      await connection.query(`DELETE FROM ${schema}.journal WHERE at_ms < $1`, [now - retentionDays * DAY_MS]);
    } catch (error) {
      // The commit before it stands; the entries leave with a later one.
      tell(onEvent, { type: 'prune_failed', error });
    }
  };
  return {
    schema,
    schedule: createSchedule(connection, schema),
    transaction: (work) => connection.transaction(work),
    async open(scope, { initial } = {}) {
      const lane = openLane(context, scope, initial);
      return {
        ...lane,
        async commit(change, also) {
          const result = await lane.commit(change, also);
          if (change.journal?.length) await prune();
          return result;
        },
      };
    },
    async takeFence(scope) {
      const names = laneNames(scope);
      const [row] = await connection.query<{ readonly fence: number }>(
        `INSERT INTO ${schema}.lane AS l (key, owner, revision, fence, events, batches) VALUES ($1, $2, 0, 1, '[]', '[]')
         ON CONFLICT (key) DO UPDATE SET fence = l.fence + 1 RETURNING fence`,
        [idText(names.key), idText(names.owner)],
      );
      return row?.fence ?? 0;
    },
    async forget(scope) {
      await connection.transaction((query) => forget(query, schema, scope));
      erasures += 1;
    },
    close: () => connection.close(),
  };
}

async function forget(query: Query, schema: string, scope: ForgetScope): Promise<void> {
  const one = 'directory' in scope || scope.session !== undefined;
  const [column, value] = one ? ['key', laneKey(scope as LaneScope)] : ['owner', laneNames({ ...scope, session: '' }).owner];
  const own = idText(value ?? '');
  const lanes = await query<{ readonly id: string }>(`SELECT id FROM ${schema}.lane WHERE ${column} = $1 FOR UPDATE`, [own]);
  const ids = [lanes.map(({ id }) => id)];
  for (const table of ['message', 'fold', 'block'])
    await query(
      `DELETE FROM ${schema}.${table} WHERE conversation IN (SELECT id FROM ${schema}.conversation WHERE lane = ANY ($1::bigint[]))`,
      ids,
    );
  for (const table of ['conversation', 'operation', 'journal', 'turn', 'set_aside'])
    await query(`DELETE FROM ${schema}.${table} WHERE lane = ANY ($1::bigint[])`, ids);
  await query(`DELETE FROM ${schema}.lane WHERE id = ANY ($1::bigint[])`, ids);
  // A lane that never committed may have entries too; of all sessions of a user the keys begin with the owner.
  await query(`DELETE FROM ${schema}.step WHERE ${one ? 'lane = $1' : 'starts_with(lane, $1)'}`, [own]);
  await query(`DELETE FROM ${schema}.schedule WHERE key = $1 OR starts_with(key, $2)`, [own, one ? `${own}#` : own]);
}
