import { isForbiddenKey } from '../json.js';

/** A JSON Schema, as far as coercion reads it. */
export type JsonSchema = { readonly [key: string]: unknown };

/**
 * Bends a value toward a schema where the meaning is plain: numbers, booleans and lists written as text, words of an
 * enumeration in another case, keys in another case or style, one item where a list is wanted and a list of one where
 * an item is, a wrapper with a single key. Nothing is invented and nothing is clamped: what does not fit stays as it is
 * and fails validation.
 */
export function coerceToSchema(value: unknown, schema: JsonSchema): unknown {
  return coerce(value, schema, schema, 0);
}

/** True when an object holds at least one key that the schema names, or is empty, or the schema names none. */
export function recognises(value: unknown, schema: JsonSchema): boolean {
  const names = Object.keys(record(schema.properties));
  if (names.length === 0 || !isRecord(value)) return true;
  const keys = Object.keys(value);
  return keys.length === 0 || keys.some((key) => names.includes(key));
}

function coerce(value: unknown, schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  if (depth > 40) return value;
  const own = resolve(schema, root);
  const choices = list(own.anyOf ?? own.oneOf);
  if (choices.length > 0) return coerceChoice(value, choices, root, depth);
  const words = 'const' in own ? [own.const] : list<unknown>(own.enum);
  if (words.length > 0) return coerceWord(value, words);
  const types = typeof own.type === 'string' ? [own.type] : list<string>(own.type);
  const type = types.find((name) => name !== 'null') ?? (own.properties ? 'object' : own.items ? 'array' : undefined);
  if (value === null && types.includes('null')) return null;
  if (type === 'object') return coerceObject(value, own, root, depth);
  if (type === 'array') return coerceList(value, own, root, depth);
  if (type === 'number' || type === 'integer') return coerceNumber(value);
  if (type === 'boolean') return coerceBoolean(value);
  if (type === 'string' && typeof value === 'number') return String(value);
  return value;
}

function coerceChoice(value: unknown, choices: readonly JsonSchema[], root: JsonSchema, depth: number): unknown {
  const fits = (choice: JsonSchema): boolean => typeName(value) === resolve(choice, root).type;
  const choice = choices.find(fits) ?? choices.find((item) => resolve(item, root).type !== 'null');
  return choice ? coerce(value, choice, root, depth + 1) : value;
}

function coerceWord(value: unknown, words: readonly unknown[]): unknown {
  if (typeof value !== 'string' || words.includes(value)) return value;
  const plain = (word: unknown): string => (typeof word === 'string' ? word.toLowerCase().replace(/[\s_-]+/g, '') : '');
  return words.find((word) => plain(word) !== '' && plain(word) === plain(value.trim())) ?? value;
}

function coerceObject(value: unknown, schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  if (Array.isArray(value) && value.length === 1) return coerceObject(value[0], schema, root, depth + 1);
  if (typeof value === 'string') return single(value, schema) ?? parsed(value, isRecord) ?? value;
  if (!isRecord(value)) return value;
  const properties = record(schema.properties);
  const names = Object.keys(properties);
  const required = list<string>(schema.required);
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    if (isForbiddenKey(key)) return [];
    const name = names.find((candidate) => candidate === key) ?? names.find((candidate) => flat(candidate) === flat(key)) ?? key;
    const property = properties[name];
    if (!property) return schema.additionalProperties === false ? [] : [[name, item]];
    const coerced = coerce(item, property as JsonSchema, root, depth + 1);
    const droppable = coerced === null && !required.includes(name) && !nullable(resolve(property as JsonSchema, root));
    return droppable ? [] : [[name, coerced]];
  });
  const result = Object.fromEntries(entries);
  const [only, ...others] = Object.values(value);
  if (names.length > 0 && others.length === 0 && !recognises(result, schema) && (isRecord(only) || Array.isArray(only))) {
    const inside = coerceObject(only, schema, root, depth + 1);
    if (isRecord(inside) && recognises(inside, schema)) return inside;
  }
  return result;
}

// `"x"` where `{ name: "x" }` is wanted: only when the schema leaves no doubt which field is meant.
function single(value: string, schema: JsonSchema): unknown {
  const required = list<string>(schema.required);
  const [name] = required;
  if (required.length !== 1 || name === undefined || /^\s*[{[]/.test(value)) return undefined;
  return record(record(schema.properties)[name]).type === 'string' ? { [name]: value } : undefined;
}

function coerceList(value: unknown, schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  const items = record(schema.items);
  const all = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? (parsed(value, Array.isArray) ?? [value])
      : isRecord(value)
        ? [value]
        : value;
  return Array.isArray(all) ? all.map((item) => coerce(item, items, root, depth + 1)) : all;
}

function coerceNumber(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : value;
}

function coerceBoolean(value: unknown): unknown {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (word === 'true' || word === 'yes') return true;
  return word === 'false' || word === 'no' ? false : value;
}

function parsed<T>(text: string, is: (value: unknown) => value is T): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return is(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const ref = schema.$ref;
  if (typeof ref !== 'string') return schema;
  if (ref === '#') return root;
  const target = ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, key) => record(at)[key], root);
  return isRecord(target) ? target : schema;
}

function nullable(schema: JsonSchema): boolean {
  return list<unknown>(schema.type).includes('null') || list<JsonSchema>(schema.anyOf).some((choice) => choice.type === 'null');
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const flat = (key: string): string => key.toLowerCase().replace(/[\s_-]+/g, '');
const list = <T = JsonSchema>(value: unknown): readonly T[] => (Array.isArray(value) ? (value as T[]) : []);
const record = (value: unknown): JsonSchema => (isRecord(value) ? value : {});
const isRecord = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value);
