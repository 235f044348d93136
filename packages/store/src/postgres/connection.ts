import { isAgentosError } from '@x/core';
import { StoreBusyError, StoreClosedError, StoreDriverMissingError, StoreFailedError } from '../errors.js';
import type { PgClient, PgPool, Query } from './client.js';

export interface ConnectionOptions {
  readonly pool?: PgPool | undefined;
  readonly connectionString?: string | undefined;
  readonly maxConnections: number;
  readonly busyTimeoutMs: number;
  /** Runs once, before the first work. */
  readonly prepare: (transaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>) => Promise<void>;
}

export interface Connection {
  /** One statement, outside a transaction. @throws `store_failed`, `store_closed` */
  query: Query;
  /** Runs work as one transaction; what it throws takes all of it back. @throws `store_busy`, `store_failed`, `store_closed` */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface OwnPool extends PgPool {
  end(): Promise<void>;
  on(event: 'error', listener: () => void): unknown;
}

/** How often a transaction that lost a race inside the database is run again. */
const TRIES = 5;

export function createConnection(options: ConnectionOptions): Connection {
  const { busyTimeoutMs, connectionString, maxConnections } = options;
  // A process that stops in the middle, as when it is paused, must not hold a lane's lock for long.
  const begin = `BEGIN; SET LOCAL lock_timeout = ${busyTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${busyTimeoutMs}`;
  let own: Promise<OwnPool> | undefined;
  let ready: Promise<void> | undefined;
  let closed = false;

  const makePool = async (): Promise<OwnPool> => {
    let Pool: new (settings: { connectionString?: string | undefined; max: number }) => OwnPool;
    try {
      Pool = (await import('pg')).default.Pool as unknown as typeof Pool;
    } catch (cause) {
      throw new StoreDriverMissingError({ driver: 'pg', install: 'npm install pg@8', cause });
    }
    const pool = new Pool({ connectionString, max: maxConnections });
    // A connection that dies while idle is replaced; the work that needs one gets the error.
    pool.on('error', () => {});
    return pool;
  };

  const connect = async (): Promise<PgClient> => {
    if (closed) throw new StoreClosedError();
    own ??= options.pool ? undefined : makePool();
    const client = await (options.pool ?? (await own) ?? missingPool()).connect();
    // The server may end a connection that is in use, as after a pause; unheard, that would end the process. The next
    // statement fails all the same.
    client.on?.('error', ignore);
    return client;
  };
  const release = (client: PgClient, broken: Error | undefined): void => {
    client.removeListener?.('error', ignore);
    client.release(broken);
  };

  const queryOn =
    (client: PgClient): Query =>
    async <Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as readonly Row[];

  const once = async <T>(work: (query: Query) => Promise<T>): Promise<T> => {
    const client = await connect();
    let committing = false;
    let broken: Error | undefined;
    try {
      await client.query(begin);
      const result = await work(queryOn(client));
      committing = true;
      await client.query('COMMIT');
      return result;
    } catch (error) {
      broken = await rollBack(client);
      // An error of the server's about the commit itself took it back; a connection that ended leaves it open.
      const code = codeOf(error);
      if (committing && (code === undefined || /^(08|57)/.test(code)))
        throw new StoreFailedError({ driverCode: code, retryable: true, outcomeUnknown: true, cause: error });
      throw error;
    } finally {
      release(client, broken);
    }
  };

  const again = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (isAgentosError(error)) throw error;
        const code = codeOf(error);
        if (code !== undefined && /^(40001|40P01)$/.test(code) && tries < TRIES) continue;
        if (code === '55P03') throw new StoreBusyError({ waitedMs: busyTimeoutMs, cause: error });
        if (code === undefined && !isConnectionFault(error)) throw error;
        throw new StoreFailedError({ driverCode: code ?? systemCode(error), retryable: isPassing(code), cause: error });
      }
    }
  };

  const prepared = async (): Promise<void> => {
    ready ??= options
      .prepare((work) => again(() => once(work)))
      .catch((error: unknown) => {
        ready = undefined;
        throw error;
      });
    await ready;
  };

  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      await prepared();
      return again(async () => {
        const client = await connect();
        let broken: Error | undefined;
        try {
          return await queryOn(client)<Row>(text, values);
        } catch (error) {
          if (codeOf(error) === undefined) broken = error as Error;
          throw error;
        } finally {
          release(client, broken);
        }
      });
    },
    async transaction(work) {
      await prepared();
      return again(() => once(work));
    },
    async close() {
      if (closed) return;
      closed = true;
      await (await own?.catch(() => undefined))?.end();
    },
  };
}

const ignore = (): void => {};

function missingPool(): never {
  throw new StoreClosedError();
}

/** @returns The fault of a connection that cannot be used again. */
async function rollBack(client: PgClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** The five characters by which PostgreSQL names a fault. */
function codeOf(error: unknown): string | undefined {
  const { code } = (typeof error === 'object' && error !== null ? error : {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code) ? code : undefined;
}

function systemCode(error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

function isConnectionFault(error: unknown): boolean {
  return systemCode(error) !== undefined || (error instanceof Error && /connection|timeout|terminated|closed/i.test(error.message));
}

/** True for faults that may be over at the next try: connection, shutdown, resources. */
function isPassing(code: string | undefined): boolean {
  return code === undefined || /^(08|53|57|25P03|40)/.test(code);
}
