import { InvalidArgumentError } from './errors.js';
import type { Json } from './json.js';

/** A record's own value, never one of its prototype. */
export function ownValue<T>(record: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A JSON object as it is, everything else as an empty one. */
export function jsonObject(value: Json | undefined): { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { readonly [key: string]: Json }) : {};
}

/** A name as it is compared: without case, blanks, dashes and underscores. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '');
}

/** Freezes a value and all that it holds, and returns it. Shared parts and cycles are visited once. */
export function freezeDeep<T>(value: T): T {
  const seen = new Set<unknown>([value]);
  // A set hands out also what is added while it is walked.
  for (const item of seen) {
    // A view on a buffer cannot be frozen.
    if (typeof item !== 'object' || item === null || ArrayBuffer.isView(item)) continue;
    Object.freeze(item);
    for (const inner of Object.values(item)) if (typeof inner === 'object' && inner !== null) seen.add(inner);
  }
  return value;
}

/**
 * Checks limits where they are given: one that is NaN would limit nothing. What is left out may be.
 *
 * @throws {@link InvalidArgumentError} one is no number of at least 0.
 */
export function checkFigures(figures: { readonly [name: string]: unknown }): void {
  for (const name in figures) {
    const value = figures[name];
    if (value !== undefined && !(typeof value === 'number' && value >= 0))
      throw new InvalidArgumentError(`${name} must be a number of at least 0`);
  }
}

/** Freezes a value whose frozen parts are frozen to the bottom, as fresh copies and parts of older states are. */
export function freezeNew<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) for (let index = 0; index < value.length; index += 1) freezeNew(value[index]);
  else for (const key in value) freezeNew(value[key]);
  return Object.freeze(value);
}
