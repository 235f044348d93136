import { isMessageRole, type Stored } from '@x/core';
import { isObject, readRecord } from './read-records.js';

/** The message of a record, or `undefined` when it is no JSON or JSON of another shape. */
export function readMessage(body: string | null | undefined): Stored | undefined {
  const value = readRecord(body);
  return isMessage(value) ? value : undefined;
}

/**
 * True for a value that all who read a history can work with. Another program, or an older version, may have written
 * something else; sent on it would fail every turn of its conversation.
 */
export function isMessage(value: unknown): value is Stored {
  if (!isObject(value)) return false;
  const { id, role, content, tool_calls: calls, tool_call_id: callId } = value;
  if (typeof id !== 'string' || !isMessageRole(role)) return false;
  if (content !== null && typeof content !== 'string' && !(Array.isArray(content) && content.every(isObject))) return false;
  if (role === 'tool' && typeof callId !== 'string') return false;
  return calls === undefined || calls === null || (Array.isArray(calls) && calls.every(isCall));
}

function isCall(value: unknown): boolean {
  if (!isObject(value) || typeof value.id !== 'string' || !isObject(value.function)) return false;
  return typeof value.function.name === 'string' && typeof value.function.arguments === 'string';
}
