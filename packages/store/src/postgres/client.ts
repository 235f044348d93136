/** What is used of a connection of `pg`. */
export interface PgClient {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly unknown[]; readonly rowCount?: number | null }>;
  release(error?: Error | boolean): void;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  removeListener?(event: 'error', listener: (error: Error) => void): unknown;
}

/** What is used of a pool; `new pg.Pool(...)` fits. */
export interface PgPool {
  connect(): Promise<PgClient>;
}

/** Runs one statement on the connection of a transaction. */
export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
