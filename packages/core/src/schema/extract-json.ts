import { jsonrepair } from 'jsonrepair';
import type * as z from 'zod';
import { coerceToSchema, type JsonSchema, recognises } from './coerce-to-schema.js';
import { innerCandidates, jsonCandidates } from './json-candidates.js';
import { JsonExtractError } from './json-extract-error.js';
import { type ReadSchema, readSchema, type StandardSchema } from './read-schema.js';
import { stripReasoning } from './strip-reasoning.js';

/**
 * Reads the JSON value in a model's reply: alone, in a fence, after thinking aloud, or with prose around it. A value
 * that parses as it stands is never repaired; repair (trailing commas, quotes, bad escapes) comes after, and a reply
 * that was cut off is refused, not completed. The first value that fits the schema wins.
 *
 * @param schema - A JSON Schema, a zod schema or a Standard Schema. With the first two, values are also coerced where
 * the meaning is plain. A value in which the schema recognises nothing is a failure.
 * @throws {@link JsonExtractError} `json_not_found`, `json_cut_off`, `json_schema_mismatch`.
 * @example extractJson('Sure:\n```json\n{"a": 1,}\n```'); // { a: 1 }
 */
export function extractJson<T>(text: string, schema: z.ZodType<T> | StandardSchema<T>): T;
export function extractJson(text: string, schema?: JsonSchema): unknown;
export function extractJson(text: string, schema?: JsonSchema | StandardSchema | z.ZodType): unknown {
  const read = schema && readSchema(schema);
  let problem: string | undefined;
  const whole = text.replace(/^\uFEFF/, '').trim();
  const answer = stripReasoning(whole);
  const { candidates, cutOff } = jsonCandidates(answer);
  // The whole text comes first, so that a tag inside one of its strings is not taken for thinking aloud.
  for (const candidate of [whole, unfenced(answer), ...candidates]) {
    for (const value of readings(candidate)) {
      const fitted = fit(value, read);
      if ('value' in fitted) return fitted.value;
      problem ??= fitted.problem;
    }
  }
  if (problem !== undefined) throw new JsonExtractError('json_schema_mismatch', `The JSON in the reply does not fit: ${problem}`);
  if (cutOff) throw new JsonExtractError('json_cut_off', 'The JSON in the reply was cut off before its end');
  throw new JsonExtractError('json_not_found', 'There is no JSON in the reply');
}

function* readings(candidate: string): Generator<unknown> {
  const strict = parse(candidate, JSON.parse);
  if (strict !== NOTHING) yield strict;
  else if (/^[{[]/.test(candidate) && /[}\]]$/.test(candidate)) {
    if (!looksLikeJson(candidate)) {
      for (const inner of innerCandidates(candidate)) yield* readings(inner);
      return;
    }
    const repaired = parse(candidate, (text) => JSON.parse(jsonrepair(mendEscapes(text))));
    if (repaired !== NOTHING) yield repaired;
  }
}

// An object starts with a key or ends at once; "{braces}" in prose does not, and is not worth a repair.
function looksLikeJson(candidate: string): boolean {
  return /^\{\s*(["'“‘}]|[\w$-]+\s*:)/.test(candidate) || candidate.startsWith('[');
}

// `\users` is not an escape that JSON knows, and `\'` needs none; the repair library stumbles over both.
function mendEscapes(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|["\\/bfnrt]|'|)/g, (whole, tail: string) => (tail === '' ? '\\\\' : tail === "'" ? "'" : whole));
}

const NOTHING = Symbol('nothing');

function parse(text: string, read: (text: string) => unknown): unknown {
  try {
    return read(text);
  } catch {
    return NOTHING;
  }
}

function fit(value: unknown, schema: ReadSchema | undefined): { readonly value: unknown } | { readonly problem: string } {
  if (!schema) return typeof value === 'object' && value !== null ? { value } : { problem: 'neither an object nor a list' };
  const coerced = schema.json ? coerceToSchema(value, schema.json) : value;
  if (schema.json && !recognises(coerced, schema.json)) return { problem: 'none of its fields is known' };
  return schema.check(coerced);
}

function unfenced(text: string): string {
  return text
    .trim()
    .replace(/^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?\1\s*$/, '$2')
    .trim();
}
