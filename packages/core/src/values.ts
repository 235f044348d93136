import type { Json } from './json.js';

/** A record's own value, never one of its prototype. */
export function ownValue<T>(record: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A JSON object as it is, everything else as an empty one. */
export function jsonObject(value: Json | undefined): { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { readonly [key: string]: Json }) : {};
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
