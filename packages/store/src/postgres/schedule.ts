import { idOf, idText } from '../id-text.js';
import { columnsOf, rowOf, type Schedule } from '../schedule.js';
import type { Connection } from './connection.js';

export function createSchedule({ query }: Connection, schema: string): Schedule {
  const table = `${schema}.schedule`;
  return {
    async get(key) {
      const [found] = await query<{ readonly body: string }>(`SELECT body FROM ${table} WHERE key = $1`, [idText(key)]);
      return rowOf(found?.body);
    },
    async set(key, row) {
      const { dueMs, untilMs, revision, body } = columnsOf(key, row);
      await query(
        `INSERT INTO ${table} (key, due_ms, until_ms, revision, body) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (key) DO UPDATE SET due_ms = excluded.due_ms, until_ms = excluded.until_ms, revision = excluded.revision, body = excluded.body`,
        [idText(key), dueMs, untilMs, revision, body],
      );
    },
    async claim(key, row, expected) {
      const { dueMs, untilMs, revision, body } = columnsOf(key, row);
      const values = [idText(key), dueMs, untilMs, revision, body];
      const won =
        expected === 0
          ? await query(
              `INSERT INTO ${table} (key, due_ms, until_ms, revision, body) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING key`,
              values,
            )
          : await query(
              `UPDATE ${table} SET due_ms = $2, until_ms = $3, revision = $4, body = $5 WHERE key = $1 AND revision = $6 RETURNING key`,
              [...values, expected],
            );
      return won.length > 0;
    },
    delete: async (key) => (await query(`DELETE FROM ${table} WHERE key = $1 RETURNING key`, [idText(key)])).length > 0,
    async due({ nowMs, limit = 1000 }) {
      const found = await query<{ readonly key: string; readonly body: string }>(
        `SELECT key, body FROM ${table} WHERE due_ms <= $1 AND until_ms <= $1 ORDER BY due_ms, key COLLATE "C" LIMIT $2`,
        [nowMs, limit],
      );
      return found.flatMap(({ key, body }) => {
        const row = rowOf(body);
        return row ? [{ key: idOf(key), row }] : [];
      });
    },
  };
}
