import type { Clock } from '@x/core';
import { idOf, idText } from '../id-text.js';
import { readRecord } from '../read-records.js';
import type { Schedule, ScheduleEntry } from '../schedule.js';
import { checkEntry, checkLease } from '../schedule-checks.js';
import type { Connection } from './connection.js';

interface Row {
  readonly key: string;
  readonly due_at_ms: number;
  readonly data: string | null;
  readonly fence: number;
}

export function createSchedule(connection: Connection, clock: Clock): Schedule {
  return {
    async get(key) {
      return connection.read((prepare) => entryOf(prepare('SELECT * FROM schedule WHERE key = ?').get(idText(key)) as Row | undefined));
    },
    async set(entry) {
      const data = checkEntry(entry);
      await connection.write((prepare) =>
        prepare(
          `INSERT INTO schedule (key, due_at_ms, data, fence) VALUES (?, ?, ?, 1)
           ON CONFLICT (key) DO UPDATE SET due_at_ms = excluded.due_at_ms, data = excluded.data, fence = fence + 1, until_ms = NULL`,
        ).run(idText(entry.key), entry.dueAtMs, data),
      );
    },
    async setIfAbsent(entry) {
      const data = checkEntry(entry);
      return connection.write((prepare) => {
        const key = idText(entry.key);
        prepare('INSERT INTO schedule (key, due_at_ms, data, fence) VALUES (?, ?, ?, 1) ON CONFLICT DO NOTHING').run(
          key,
          entry.dueAtMs,
          data,
        );
        return entryOf(prepare('SELECT * FROM schedule WHERE key = ?').get(key) as Row) ?? entry;
      });
    },
    async delete(key) {
      return connection.write((prepare) => Number(prepare('DELETE FROM schedule WHERE key = ?').run(idText(key)).changes) > 0);
    },
    async list({ prefix = '', limit = 1000 } = {}) {
      const start = idText(prefix);
      return connection.read((prepare) =>
        (
          prepare('SELECT * FROM schedule WHERE substr(key, 1, ?) = ? ORDER BY due_at_ms, key LIMIT ?').all(
            codePoints(start),
            start,
            limit,
          ) as Row[]
        ).flatMap((row) => entryOf(row) ?? []),
      );
    },
    async claim({ leaseMs, prefix = '', limit = 100, nowMs = clock.now() }) {
      checkLease(leaseMs);
      const start = idText(prefix);
      return connection.write((prepare) => {
        const due = prepare(
          `SELECT * FROM schedule WHERE due_at_ms <= ? AND (until_ms IS NULL OR until_ms <= ?) AND substr(key, 1, ?) = ?
           ORDER BY due_at_ms, key LIMIT ?`,
        ).all(nowMs, nowMs, codePoints(start), start, limit) as Row[];
        const untilMs = nowMs + leaseMs;
        return due.flatMap((row) => {
          prepare('UPDATE schedule SET fence = fence + 1, until_ms = ? WHERE key = ?').run(untilMs, row.key);
          const entry = entryOf(row);
          return entry ? [{ ...entry, fence: row.fence + 1, untilMs }] : [];
        });
      });
    },
    async renew({ key, fence }, leaseMs) {
      checkLease(leaseMs);
      return connection.write(
        (prepare) =>
          Number(
            prepare('UPDATE schedule SET until_ms = ? WHERE key = ? AND fence = ? AND until_ms IS NOT NULL').run(
              clock.now() + leaseMs,
              idText(key),
              fence,
            ).changes,
          ) > 0,
      );
    },
    async finish({ key, fence }, next) {
      const data = next ? checkEntry({ key, ...next }) : null;
      return connection.write((prepare) => {
        const { changes } = next
          ? prepare(
              'UPDATE schedule SET due_at_ms = ?, data = ?, until_ms = NULL WHERE key = ? AND fence = ? AND until_ms IS NOT NULL',
            ).run(next.dueAtMs, data, idText(key), fence)
          : prepare('DELETE FROM schedule WHERE key = ? AND fence = ? AND until_ms IS NOT NULL').run(idText(key), fence);
        return Number(changes) > 0;
      });
    },
  };
}

function entryOf(row: Row | undefined): ScheduleEntry | undefined {
  if (!row) return undefined;
  const data = row.data === null ? undefined : readRecord(row.data);
  return { key: idOf(row.key), dueAtMs: row.due_at_ms, ...(data !== undefined && { data }) };
}
const codePoints = (text: string): number => [...text].length;
