import { CriteriaInvalidError } from './errors.js';

export function isPlainObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value of the record's own, never one of its prototype. */
export function own<T>(record: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A list of texts, not empty, none of them blank. */
export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item.trim() !== '');
}

/** @throws {@link CriteriaInvalidError} always. */
export function refuse(path: string, problem: string): never {
  throw new CriteriaInvalidError({ path, problem });
}

/** @throws {@link CriteriaInvalidError} not a plain object, or a key that is not in `known`. */
export function checkKeys(value: unknown, known: readonly string[], path: string): void {
  if (!isPlainObject(value)) return refuse(path, 'must be an object');
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) refuse(`${path}.${unknown}`, `is not known. Known here are ${known.join(', ')}`);
}
