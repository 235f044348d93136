import { InvalidArgumentError } from '../errors.js';
import { coerceToSchema, type JsonSchema } from './coerce-to-schema.js';
import { jsonCandidates } from './json-candidates.js';
import { JsonExtractError } from './json-extract-error.js';
import { type ReadSchema, readSchema, type StandardSchema } from './read-schema.js';
import { recognises } from './recognises.js';
import { stripReasoning } from './strip-reasoning.js';

/**
 * Reads the JSON value in a model's reply: alone, in a fence, after thinking aloud, or with prose around it. A value
 * that parses as it stands is never repaired; repair (trailing commas, quotes, bad escapes) comes after. A value that was
 * cut off is refused, not completed, and nothing is read from inside of it or from thinking. The first value that fits
 * the schema wins. The time is linear in the text.
 *
 * @param schema - A JSON Schema, a zod schema or a Standard Schema. With the first two, values are also coerced where
 * the meaning is plain. A value in which the schema recognises nothing is a failure.
 * @throws {@link JsonExtractError} `json_not_found`, `json_cut_off`, `json_schema_mismatch`. {@link InvalidArgumentError} what
 * is given is no text, or the schema cannot be used.
 * @example extractJson('Sure:\n```json\n{"a": 1,}\n```'); // { a: 1 }
 */
export function extractJson<T>(text: string, schema: StandardSchema<T>): T;
export function extractJson(text: string, schema?: JsonSchema): unknown;
export function extractJson(text: string, schema?: JsonSchema | StandardSchema): unknown {
  if (typeof text !== 'string') throw new InvalidArgumentError('extractJson reads a text. Pass the text of the reply.');
  const read = schema && readSchema(schema);
  const whole = text.replace(/^\uFEFF/, '').trim();
  let problem: string | undefined;
  for (const value of wholeReadings(whole)) {
    const fitted = fit(value, read);
    if ('value' in fitted) return fitted.value;
    problem ??= fitted.problem;
  }
  // A value that was written as one string is read from inside of it.
  const inner = parse(unfenced(whole));
  const { candidates, damage } = jsonCandidates(typeof inner === 'string' ? inner : whole);
  for (const candidate of candidates) {
    const strict = parse(candidate.text);
    const value = strict === NOTHING ? parse(candidate.mended) : strict;
    if (value === NOTHING) continue;
    const fitted = fit(value, read);
    if ('value' in fitted) return fitted.value;
    problem ??= fitted.problem;
  }
  if (problem !== undefined) throw new JsonExtractError('json_schema_mismatch', `The JSON in the reply does not fit: ${problem}`);
  if (damage === 'cut') throw new JsonExtractError('json_cut_off', 'The JSON in the reply was cut off before its end');
  const found = damage === 'broken' ? 'The JSON in the reply is too damaged to be read' : 'There is no JSON in the reply';
  throw new JsonExtractError('json_not_found', found);
}

// The whole text comes first, so that a tag inside one of its strings is not taken for thinking aloud. Behind thinking
// only a plain value is read here: objects and lists are found by their brackets.
function* wholeReadings(whole: string): Generator<unknown> {
  const seen = [whole, unfenced(whole)];
  const answer = unfenced(stripReasoning(whole).trim());
  if (!/^[{[]/.test(answer)) seen.push(answer);
  for (const text of new Set(seen)) {
    const value = parse(text);
    if (value !== NOTHING) yield value;
  }
}

const NOTHING = Symbol('nothing');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NOTHING;
  }
}

type Fitted = { readonly value: unknown } | { readonly problem: string };

function fit(value: unknown, schema: ReadSchema | undefined): Fitted {
  const problem = problemWith(value);
  if (problem !== undefined) return { problem };
  if (!schema) return typeof value === 'object' && value !== null ? { value } : { problem: 'neither an object nor a list' };
  const coerced = schema.json ? coerceToSchema(value, schema.json) : value;
  if (schema.json && !recognises(coerced, schema.json)) return { problem: 'none of its fields is known' };
  return schema.check(coerced);
}

/** No honest reply is nested deeper; whoever walks through the value must not run out of stack. */
const MAX_DEPTH = 500;

// `1e999` parses, as Infinity, which no JSON can say.
function problemWith(value: unknown): string | undefined {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return 'it is nested too deep';
    if (level.some((item) => typeof item === 'number' && !Number.isFinite(item))) return 'a number is too large';
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return undefined;
}

// What stands in a fence that holds the whole text.
function unfenced(text: string): string {
  const [opening, fence] = /^(`{3,}|~{3,})[^\n`]*\n/.exec(text) ?? [];
  if (opening === undefined || fence === undefined || !text.endsWith(fence)) return text;
  return text.slice(opening.length, -fence.length).trim();
}
