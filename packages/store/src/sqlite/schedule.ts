import { idOf, idText } from '../id-text.js';
import { columnsOf, rowOf, type Schedule } from '../schedule.js';
import type { Connection } from './connection.js';

export function createSchedule(connection: Connection): Schedule {
  return {
    get: (key) =>
      connection.read((prepare) => {
        const found = prepare('SELECT body FROM schedule WHERE key = ?').get(idText(key)) as { readonly body: string } | undefined;
        return rowOf(found?.body);
      }),
    async set(key, row) {
      const { dueMs, untilMs, revision, body } = columnsOf(key, row);
      await connection.write((prepare) =>
        prepare(
          `INSERT INTO schedule (key, due_ms, until_ms, revision, body) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (key) DO UPDATE SET due_ms = excluded.due_ms, until_ms = excluded.until_ms, revision = excluded.revision,
             body = excluded.body`,
        ).run(idText(key), dueMs, untilMs, revision, body),
      );
    },
    async claim(key, row, expected) {
      const { dueMs, untilMs, revision, body } = columnsOf(key, row);
      const { changes } = await connection.write((prepare) =>
        expected === 0
          ? prepare('INSERT INTO schedule (key, due_ms, until_ms, revision, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING').run(
              idText(key),
              dueMs,
              untilMs,
              revision,
              body,
            )
          : prepare('UPDATE schedule SET due_ms = ?, until_ms = ?, revision = ?, body = ? WHERE key = ? AND revision = ?').run(
              dueMs,
              untilMs,
              revision,
              body,
              idText(key),
              expected,
            ),
      );
      return Number(changes) > 0;
    },
    delete: (key) => connection.write((prepare) => Number(prepare('DELETE FROM schedule WHERE key = ?').run(idText(key)).changes) > 0),
    due: ({ nowMs, limit = 1000 }) =>
      connection.read((prepare) => {
        const found = prepare('SELECT key, body FROM schedule WHERE due_ms <= ? AND until_ms <= ? ORDER BY due_ms, key LIMIT ?').all(
          nowMs,
          nowMs,
          limit,
        ) as { readonly key: string; readonly body: string }[];
        return found.flatMap(({ key, body }) => {
          const row = rowOf(body);
          return row ? [{ key: idOf(key), row }] : [];
        });
      }),
  };
}
