import { AgentosError } from './errors.js';
import { freezeNew } from './values.js';

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
  const kept = copy(value, undefined, COPY);
  return kept === undefined ? refuse(value, path, false) : kept;
}

/**
 * Like {@link toJson}, but a field that is `undefined` is left out, as optional fields may be written so.
 *
 * @param share - What is frozen with all that it holds is not copied but shared with the input.
 */
export function toStoredJson(value: unknown, path = '$', share = false): Json {
  const kept = copy(value, undefined, share ? SHARE_STORED : COPY_STORED);
  return kept === undefined ? refuse(value, path, true) : kept;
}

/**
 * Like {@link toJson}, or {@link toStoredJson} where fields may be left out, frozen, and shares with the input what was frozen there with
 * all that it holds: a list that grows with each turn is otherwise copied whole each turn.
 */
export function toFrozenJson(value: unknown, path = '$', leaveOut = false): Json {
  const kept = copy(value, undefined, leaveOut ? SHARE_STORED : SHARE);
  return kept === undefined ? refuse(value, path, leaveOut) : freezeNew(kept);
}

interface How {
  /** Fields that are `undefined` are left out. */
  readonly leaveOut: boolean;
  readonly share: boolean;
}

const COPY: How = { leaveOut: false, share: false };
const COPY_STORED: How = { leaveOut: true, share: false };
const SHARE: How = { leaveOut: false, share: true };
const SHARE_STORED: How = { leaveOut: true, share: true };

const DEEPEST = 200;

/** The objects that hold what is being copied, innermost first; made only for an object that holds another. */
interface Above {
  readonly object: object;
  readonly depth: number;
  readonly above: Above | undefined;
}

/** @returns `undefined` for what cannot be kept; what it is and where is looked for only then. */
function copy(value: unknown, above: Above | undefined, how: How): Json | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined; // -0 becomes 0
  if (typeof value !== 'object' || (above !== undefined && (above.depth >= DEEPEST || holds(above, value)))) return undefined;
  if (how.share && isFixed(value, above?.depth ?? 0)) return value as Json;
  return Array.isArray(value) ? copyList(value, above, how) : copyFields(value, above, how);
}

/** True for what is frozen with all that it holds and is in JSON what it is here, so that a copy would say the same. */
function isFixed(value: object, depth: number): boolean {
  if (!Object.isFrozen(value) || depth >= DEEPEST || 'toJSON' in value) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) if (!isFixedItem(value[index], depth)) return false;
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const key in value) {
    if (key === '__proto__' || !isFixedItem((value as { readonly [key: string]: unknown })[key], depth)) return false;
  }
  return true;
}

function isFixedItem(item: unknown, depth: number): boolean {
  if (typeof item === 'object' && item !== null) return isFixed(item, depth + 1);
  return item === null || typeof item === 'string' || typeof item === 'boolean' || (Number.isFinite(item) && !Object.is(item, -0));
}

function holds(above: Above, value: object): boolean {
  for (let at: Above | undefined = above; at !== undefined; at = at.above) if (at.object === value) return true;
  return false;
}

function within(object: object, above: Above | undefined): Above {
  return { object, depth: (above?.depth ?? 0) + 1, above };
}

function copyList(list: readonly unknown[], above: Above | undefined, how: How): Json | undefined {
  const result: Json[] = [];
  let here = above;
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    if (here === above && typeof item === 'object' && item !== null) here = within(list, above);
    const kept = copy(item, here, how);
    if (kept === undefined) return undefined;
    result.push(kept);
  }
  return result;
}

function copyFields(value: object, above: Above | undefined, how: How): Json | undefined {
  if (!isPlain(value)) return undefined;
  const result: Record<string, Json> = {};
  let here = above;
  // Each commit copies thousands of small objects: "for in" makes no list of keys.
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (key === '__proto__') return undefined;
    const item: unknown = (value as { readonly [key: string]: unknown })[key];
    if (item === undefined && how.leaveOut) continue;
    if (here === above && typeof item === 'object' && item !== null) here = within(value, above);
    const kept = copy(item, here, how);
    if (kept === undefined) return undefined;
    result[key] = kept;
  }
  return result;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Throws for the first part of a value that cannot be kept. */
function refuse(value: unknown, root: string, leaveOut: boolean): never {
  const above: object[] = [];
  const keys: (string | number)[] = [];
  const find = (part: unknown): string | undefined => {
    const problem = problemOf(part, above);
    if (problem !== undefined || typeof part !== 'object' || part === null) return problem;
    above.push(part);
    for (const [key, inner] of Array.isArray(part) ? part.entries() : Object.entries(part)) {
      if (inner === undefined && leaveOut && !Array.isArray(part)) continue;
      keys.push(key);
      const found = find(inner);
      if (found !== undefined) return found;
      keys.pop();
    }
    above.pop();
    return undefined;
  };
  const problem = find(value) ?? 'changes while it is read';
  throw new JsonValueError({ path: root + keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join(''), problem });
}

/** What keeps a value from being stored, apart from what it holds. */
function problemOf(value: unknown, above: readonly object[]): string | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `is ${value}`;
  if (typeof value !== 'object') return `is of type ${typeof value}`;
  if (above.includes(value)) return 'contains itself';
  if (above.length >= DEEPEST) return `is nested deeper than ${DEEPEST} levels`;
  if (Array.isArray(value)) return undefined;
  if (!isPlain(value)) return `is a ${value.constructor?.name ?? 'class'} instance`;
  return Object.hasOwn(value, '__proto__') ? 'has a key named __proto__' : undefined;
}
