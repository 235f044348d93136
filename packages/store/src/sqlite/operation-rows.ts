import type { Json, Logged } from '@x/core';
import { operationText } from '../check-commit.js';
import { idText } from '../id-text.js';
import type { Prepare } from './connection.js';
import type { LongTexts } from './long-texts.js';

/** An operation as it is written: its record in one part, or in five that SQLite joins, since V8 would make one more text of them. */
export type OperationRow = readonly [id: string, atMs: number, ...record: readonly string[]];

/** The row of an operation of a checked commit. Rows are made in the order of the operations. */
export function operationRow(logged: Logged, texts: LongTexts): OperationRow {
  const { operation, by, why, turn, atMs, from } = logged;
  const id = idText(logged.id);
  if (!('put' in operation) || !isObject(operation.value) || from === undefined) return [id, atMs, operationText(logged)];
  const { put: key, value } = operation;
  const before = texts.of(key, from);
  return [
    id,
    atMs,
    `{"id":${JSON.stringify(logged.id)},"operation":{"put":${JSON.stringify(key)},"value":`,
    texts.put(key, value),
    `},${JSON.stringify({ by, why, turn, atMs }).slice(1, -1)},"from":`,
    before,
    '}',
  ];
}

export function writeOperation(prepare: Prepare, lane: number, row: OperationRow): void {
  const record = row.length === 3 ? '?' : '? || ? || ? || ? || ?';
  prepare(`INSERT INTO operation (lane, id, at_ms, body) VALUES (?, ?, ?, ${record})`).run(lane, ...row);
}

function isObject(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}
