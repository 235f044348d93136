import type { Block, Json, Logged, Parked } from '@x/core';
import { loggedOf, type WrittenOperation } from './check-commit.js';
import { idOf } from './id-text.js';
import { isMessage } from './read-message.js';
import { isObject, readRecord } from './read-records.js';
import type { Fold } from './transcript.js';

/** The note of a record, or `undefined` when it is none. */
export function readBlock(body: string): Block | undefined {
  const value = readRecord(body);
  return hasTexts(value, ['before', 'part', 'text']) ? (value as unknown as Block) : undefined;
}

/** The turn that waits, or `undefined` when the record holds none that could go on or be dropped. */
export function readParked(body: string): Parked | undefined {
  const value = readRecord(body);
  if (!hasTexts(value, ['turn', 'callId'])) return undefined;
  const { current, request } = value;
  if (!Array.isArray(current) || !current.every(isMessage)) return undefined;
  return hasTexts(request, ['id', 'kind', 'prompt']) ? (value as unknown as Parked) : undefined;
}

/** What a history is made of, or `undefined` when the record cannot say it. */
export function readFold(body: string, nextSeq: number): Fold | undefined {
  const value = readRecord(body);
  if (!isObject(value) || !Array.isArray(value['segments']) || !isPlace(value['tail'])) return undefined;
  const isRun = (part: Json): boolean => Array.isArray(part) && part.length === 2 && part.every((seq) => isPlace(seq) && seq < nextSeq);
  return value['segments'].every((part) => isRun(part) || isMessage(part)) ? (value as unknown as Fold) : undefined;
}

/** The logged operation of a record, or `undefined` when it is none. */
export function readLogged(body: string): Logged | undefined {
  const value = readRecord(body);
  return hasTexts(value, ['id', 'turn']) && isObject(value['operation']) ? loggedOf(value as unknown as WrittenOperation) : undefined;
}

export function isEvent(value: Json): boolean {
  return hasTexts(value, ['eventType', 'turnId']) && isObject(value['metadata']);
}

export function isBatch(value: Json): boolean {
  return hasTexts(value, ['id', 'turn', 'by']) && Array.isArray(value['items']) && value['items'].every(isObject);
}

/** The hash of the prefix, or none: an unreadable one only costs the cache once. */
export function readHash(text: string | null): string {
  try {
    return idOf(text ?? '');
  } catch {
    return '';
  }
}

function hasTexts(value: Json | undefined, fields: readonly string[]): value is { readonly [field: string]: Json } {
  return isObject(value) && fields.every((field) => typeof value[field] === 'string');
}

function isPlace(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
