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
  return copy(value, path, [], false);
}

/** Like {@link toJson}, but a field that is `undefined` is left out, as optional fields may be written so. */
export function toStoredJson(value: unknown, path = '$'): Json {
  return copy(value, path, [], true);
}

function copy(value: unknown, path: string, above: readonly object[], leaveOut: boolean): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new JsonValueError({ path, problem: `is ${value}` });
    return Object.is(value, -0) ? 0 : value;
  }
  if (typeof value !== 'object') throw new JsonValueError({ path, problem: `is of type ${typeof value}` });
  if (above.includes(value)) throw new JsonValueError({ path, problem: 'contains itself' });
  if (above.length >= 200) throw new JsonValueError({ path, problem: 'is nested deeper than 200 levels' });
  const inside = [...above, value];
  if (Array.isArray(value)) return Array.from(value, (item, index) => copy(item, `${path}[${index}]`, inside, leaveOut));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new JsonValueError({ path, problem: `is a ${value.constructor?.name ?? 'class'} instance` });
  }
  const result: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') throw new JsonValueError({ path, problem: 'has a key named __proto__' });
    if (item === undefined && leaveOut) continue;
    result[key] = copy(item, `${path}.${key}`, inside, leaveOut);
  }
  return result;
}
