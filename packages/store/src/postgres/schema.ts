import { StoreVersionError } from '../errors.js';
import type { Query } from './client.js';

/** Each entry brings the schema from its index to the next number. Never change one that was published: add another. */
const MIGRATIONS: readonly ((schema: string) => string)[] = [
  (schema) => `
  CREATE TABLE ${schema}.lane (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key text NOT NULL UNIQUE,
    owner text NOT NULL,
    revision integer NOT NULL,
    fence integer NOT NULL,
    initial text,
    state text,
    events text NOT NULL,
    batches text NOT NULL
  );
  CREATE INDEX lane_owner ON ${schema}.lane (owner);
  CREATE TABLE ${schema}.turn (
    lane bigint NOT NULL,
    id text NOT NULL,
    revision integer NOT NULL,
    PRIMARY KEY (lane, id)
  );
  CREATE TABLE ${schema}.operation (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lane bigint NOT NULL,
    id text NOT NULL,
    at_ms double precision NOT NULL,
    body text NOT NULL
  );
  CREATE INDEX operation_order ON ${schema}.operation (lane, at_ms, seq);
  CREATE INDEX operation_id ON ${schema}.operation (lane, id);
  CREATE TABLE ${schema}.conversation (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lane bigint NOT NULL,
    name text NOT NULL,
    revision integer NOT NULL,
    next_seq integer NOT NULL,
    from_seq integer NOT NULL,
    blocks integer NOT NULL,
    blocks_hash text NOT NULL,
    stable_hash text NOT NULL,
    parked text,
    UNIQUE (lane, name)
  );
  CREATE TABLE ${schema}.message (
    conversation bigint NOT NULL,
    seq integer NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (conversation, seq)
  );
  CREATE TABLE ${schema}.fold (conversation bigint PRIMARY KEY, body text NOT NULL);
  CREATE TABLE ${schema}.block (
    conversation bigint NOT NULL,
    seq integer NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (conversation, seq)
  );
  CREATE TABLE ${schema}.journal (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lane bigint NOT NULL,
    turn text NOT NULL,
    at_ms double precision NOT NULL,
    body text NOT NULL
  );
  CREATE INDEX journal_turn ON ${schema}.journal (lane, turn, seq);
  CREATE INDEX journal_age ON ${schema}.journal (at_ms);
  CREATE TABLE ${schema}.schedule (
    key text PRIMARY KEY,
    due_ms double precision NOT NULL,
    until_ms double precision NOT NULL,
    revision integer NOT NULL,
    body text NOT NULL
  );
  CREATE INDEX schedule_due ON ${schema}.schedule (due_ms);
  CREATE TABLE ${schema}.step (
    queue text NOT NULL,
    lane text NOT NULL,
    turn text NOT NULL,
    id text NOT NULL,
    token integer NOT NULL,
    state text NOT NULL,
    request text,
    result text,
    PRIMARY KEY (lane, queue, turn, id)
  );
  CREATE TABLE ${schema}.lease (
    job text PRIMARY KEY,
    attempt integer NOT NULL,
    queue text NOT NULL,
    until timestamptz NOT NULL
  );
  CREATE TABLE ${schema}.set_aside (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lane bigint NOT NULL,
    source text NOT NULL,
    record text NOT NULL,
    body text NOT NULL,
    at_ms double precision NOT NULL
  );
  `,
  (schema) => `
  DROP INDEX ${schema}.operation_order;
  CREATE INDEX operation_lane ON ${schema}.operation (lane, seq);
  `,
  (schema) => `
  CREATE INDEX operation_trait ON ${schema}.operation (lane, seq) WHERE body LIKE '%"trait":%';
  `,
];

/** The newest schema that this package knows. */
export const SCHEMA_VERSION = MIGRATIONS.length;

type Transaction = <T>(work: (query: Query) => Promise<T>) => Promise<T>;

/**
 * Brings the schema up to date; of many processes that start at once, one does it and the others wait.
 *
 * @throws {@link StoreVersionError} a newer package wrote it.
 */
export async function prepareSchema(
  transaction: Transaction,
  schema: string,
  onMigrated: (from: number, to: number) => void,
): Promise<void> {
  const migrated = await transaction(async (query) => {
    if ((await versionOf(query, schema)) === SCHEMA_VERSION) return undefined;
    await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`x-store:${schema}`]);
    await query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await query(`CREATE TABLE IF NOT EXISTS ${schema}.schema_version (version integer NOT NULL)`);
    const from = (await versionOf(query, schema)) ?? 0;
    if (from > SCHEMA_VERSION) throw new StoreVersionError({ found: from, known: SCHEMA_VERSION });
    for (const migration of MIGRATIONS.slice(from))
      for (const statement of migration(schema).split(';')) if (statement.trim()) await query(statement);
    await query(`DELETE FROM ${schema}.schema_version`);
    await query(`INSERT INTO ${schema}.schema_version VALUES ($1)`, [SCHEMA_VERSION]);
    return from;
  });
  if (migrated !== undefined && migrated > 0 && migrated < SCHEMA_VERSION) onMigrated(migrated, SCHEMA_VERSION);
}

async function versionOf(query: Query, schema: string): Promise<number | undefined> {
  const [there] = await query<{ readonly there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [`${schema}.schema_version`]);
  if (!there?.there) return undefined;
  const [row] = await query<{ readonly version: number }>(`SELECT version FROM ${schema}.schema_version`);
  return row?.version;
}
