import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Where the tests' PostgreSQL is; without it the suites that need one are left out. */
export const DATABASE_URL = process.env.DATABASE_URL;

/** A schema of its own for one file of tests, and a pool to reach it. */
export function temporarySchema(): { readonly pool: pg.Pool; newSchema(): string; remove(): Promise<void> } {
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
  const schemas: string[] = [];
  return {
    pool,
    newSchema() {
      const schema = `x_test_${randomBytes(6).toString('hex')}`;
      schemas.push(schema);
      return schema;
    },
    async remove() {
      for (const schema of schemas) await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await pool.end();
    },
  };
}
