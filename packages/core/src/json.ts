import { AgentosError } from './errors.js';

/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Thrown by {@link toJson}: a value cannot be stored without loss. */
export class JsonValueError extends AgentosError {
  override readonly name = 'JsonValueError';
  readonly code = 'json_value_invalid';
  readonly retryable = false;
  /** Where inside the value, such as `$.items[2].at`. */
  readonly path: string;
  constructor({ path, problem }: { path: string; problem: string }) {
    super(`The value at ${path} ${problem}. Store only null, booleans, finite numbers, strings, arrays and plain objects.`);
    this.path = path;
  }
}

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor']);

/** True for a name that would reach an object's prototype when assigned; such names are never used as keys. */
export function isForbiddenKey(key: string): boolean {
  return FORBIDDEN_KEYS.has(key);
}

/**
 * Copies a value, checking on the way that JSON keeps all of it.
 *
 * @returns A deep copy that shares nothing with the input.
 * @throws {@link JsonValueError} for `undefined`, functions, symbols, bigints, NaN, infinities, cycles, class
 * instances such as `Date` or `Map`, holes in arrays, and the key `__proto__`.
 */
export function toJson(value: unknown, path = '$'): Json {
  return copy(value, { root: path, above: [], keys: [] }, false);
}

/** Like {@link toJson}, but a field that is `undefined` is left out, as optional fields may be written so. */
export function toStoredJson(value: unknown, path = '$'): Json {
  return copy(value, { root: path, above: [], keys: [] }, true);
}

/** The way to the value that is being copied: what holds it, and by which keys. Names are made only for an error. */
interface Way {
  readonly root: string;
  readonly above: object[];
  readonly keys: (string | number)[];
}

const DEEPEST = 200;

function copy(value: unknown, way: Way, leaveOut: boolean): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refused(way, `is ${value}`);
    return Object.is(value, -0) ? 0 : value;
  }
  if (typeof value !== 'object') throw refused(way, `is of type ${typeof value}`);
  const { above } = way;
  if (above.includes(value)) throw refused(way, 'contains itself');
  if (above.length >= DEEPEST) throw refused(way, `is nested deeper than ${DEEPEST} levels`);
  above.push(value);
  const result = Array.isArray(value) ? copyList(value, way, leaveOut) : copyFields(value, way, leaveOut);
  above.pop();
  return result;
}

function copyList(list: readonly unknown[], way: Way, leaveOut: boolean): Json {
  const result: Json[] = [];
  for (let index = 0; index < list.length; index += 1) {
    way.keys.push(index);
    result.push(copy(list[index], way, leaveOut));
    way.keys.pop();
  }
  return result;
}

function copyFields(value: object, way: Way, leaveOut: boolean): Json {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw refused(way, `is a ${value.constructor?.name ?? 'class'} instance`);
  const result: Record<string, Json> = {};
  // Each commit copies thousands of small objects: "for in" makes no list of keys.
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (key === '__proto__') throw refused(way, 'has a key named __proto__');
    const item: unknown = (value as { readonly [key: string]: unknown })[key];
    if (item === undefined && leaveOut) continue;
    way.keys.push(key);
    result[key] = copy(item, way, leaveOut);
    way.keys.pop();
  }
  return result;
}

function refused({ root, keys }: Way, problem: string): JsonValueError {
  return new JsonValueError({ path: root + keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join(''), problem });
}
