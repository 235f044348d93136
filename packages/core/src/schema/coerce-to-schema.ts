import { isForbiddenKey } from '../json.js';
import { plainName } from '../values.js';
import { isRecord, itemsOf, type JsonSchema, MAX_SCHEMA_DEPTH, propertiesOf, resolveSchema } from './json-schema.js';
import { knowsKeys } from './recognises.js';

export type { JsonSchema } from './json-schema.js';

/**
 * Bends a value toward a schema where the meaning is plain: numbers, booleans and lists written as text, words of an
 * enumeration in another case, keys in another case or style, one item where a list is wanted and a list of one where
 * an item is, a list where an object with just one list is wanted, a wrapper with a single key or a tool call around it,
 * a blank where something optional was left out. Nothing is invented and nothing is clamped: what does not fit stays as it
 * is and fails validation.
 */
export function coerceToSchema(value: unknown, schema: JsonSchema): unknown {
  return coerce(value, schema, schema, 0);
}

function coerce(value: unknown, schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  if (depth > MAX_SCHEMA_DEPTH) return value;
  const own = resolveSchema(schema, root);
  const choices = listOf<JsonSchema>(own.anyOf ?? own.oneOf);
  if (choices.length > 0) return coerceChoice(value, choices, root, depth);
  const words = 'const' in own ? [own.const] : listOf<unknown>(own.enum);
  if (words.length > 0) return coerceWord(itemOf(value), words);
  const types = typeof own.type === 'string' ? [own.type] : listOf<string>(own.type);
  const type = types.find((name) => name !== 'null') ?? (own.properties ? 'object' : own.items ? 'array' : undefined);
  if (value === null && types.includes('null')) return null;
  if (type === 'object') return coerceObject(value, own, root, depth);
  if (type === 'array') return coerceList(value, own, root, depth);
  if (type === 'number' || type === 'integer') return coerceNumber(itemOf(value));
  if (type === 'boolean') return coerceBoolean(itemOf(value));
  return type === 'string' ? coerceText(itemOf(value)) : value;
}

// A list of one plain value is that value.
function itemOf(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 && typeof value[0] !== 'object' ? value[0] : value;
}

// A number of more digits than a number holds has lost some already.
function coerceText(value: unknown): unknown {
  if (typeof value !== 'number') return value;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value : String(value);
}

function coerceChoice(value: unknown, choices: readonly JsonSchema[], root: JsonSchema, depth: number): unknown {
  const fits = (choice: JsonSchema): boolean => typeName(value) === resolveSchema(choice, root).type;
  const choice = choices.find(fits) ?? choices.find((item) => resolveSchema(item, root).type !== 'null');
  return choice ? coerce(value, choice, root, depth + 1) : value;
}

function coerceWord(value: unknown, words: readonly unknown[]): unknown {
  if (typeof value !== 'string' || words.includes(value)) return value;
  const meant = plainWord(value);
  const matches = words.filter((word) => typeof word === 'string' && meant !== '' && plainWord(word) === meant);
  return matches.length === 1 ? matches[0] : value;
}

// Case, style, full-width letters, and quotes, stars, a full stop and emoji around the word.
function plainWord(word: string): string {
  return plainName(word.normalize('NFKC')).replace(AROUND, '');
}

const AROUND = /^(?:["'`“‘]|\*{1,2}|\p{Extended_Pictographic}\uFE0F?){1,2}|(?:["'`”’.!]|\*{1,2}|\p{Extended_Pictographic}\uFE0F?){1,2}$/gu;

function coerceObject(value: unknown, schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  if (depth > MAX_SCHEMA_DEPTH) return value;
  if (Array.isArray(value)) return coerceListToObject(value, schema, root, depth);
  if (typeof value === 'string') return single(value, schema) ?? parsed(value, isRecord) ?? value;
  if (!isRecord(value)) return value;
  const properties = propertiesOf(schema);
  const names = Object.keys(properties);
  const required = listOf<string>(schema.required);
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    if (isForbiddenKey(key)) return [];
    const other = Object.hasOwn(properties, key) ? key : names.find((candidate) => plainName(candidate) === plainName(key));
    // A key that is there under its own name is not replaced by one that only resembles it.
    const name = other === undefined || (other !== key && Object.hasOwn(value, other)) ? key : other;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property) return schema.additionalProperties === false ? [] : [[name, item]];
    const coerced = coerce(item, property, root, depth + 1);
    const own = resolveSchema(property, root);
    const droppable =
      !required.includes(name) && ((coerced === null && !nullable(own)) || ((isBlank(item) || isBlank(coerced)) && !takesBlank(own)));
    return droppable ? [] : [[name, coerced]];
  });
  const result = Object.fromEntries(entries);
  const wrapped = names.length > 0 && !knowsKeys(result, schema) ? wrappedIn(value) : undefined;
  if (wrapped !== undefined) {
    const inside = coerceObject(wrapped, schema, root, depth + 1);
    if (isRecord(inside) && knowsKeys(inside, schema)) return inside;
  }
  return result;
}

// What the only key of a wrapper holds, or what a model wrote as the arguments of a call.
function wrappedIn(value: { readonly [key: string]: unknown }): unknown {
  const [only, ...others] = Object.values(value);
  if (others.length === 0) return isRecord(only) || Array.isArray(only) ? only : undefined;
  if (isRecord(value.function)) return wrappedIn(value.function);
  const given = value.arguments ?? value.parameters ?? value.input;
  if (typeof value.name !== 'string') return undefined;
  return typeof given === 'string' ? parsed(given, isRecord) : isRecord(given) ? given : undefined;
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

// A blank text says nothing where a text is not what is wanted, and where it is none of the words.
function takesBlank(schema: JsonSchema): boolean {
  if ('const' in schema || 'enum' in schema) return [schema.const, ...listOf(schema.enum)].includes('');
  const { type } = schema;
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
}

// One item where the item itself is wanted; else a bare list, when the schema demands just one field and that is a list.
function coerceListToObject(value: readonly unknown[], schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  const [first] = value;
  const isOne = value.length === 1 && !Array.isArray(first);
  const alone = isOne ? coerceObject(first, schema, root, depth + 1) : undefined;
  const [name, ...further] = Object.keys(propertiesOf(schema));
  const list = name === undefined ? undefined : propertiesOf(schema)[name];
  const isMeant = further.length === 0 && list && resolveSchema(list, root).type === 'array' && listOf(schema.required).includes(name);
  if (isMeant && !(isRecord(alone) && knowsKeys(alone, schema))) return { [name as string]: coerce(value, list, root, depth + 1) };
  return isOne ? alone : value;
}

// `"x"` where `{ name: "x" }` is wanted: only when the schema leaves no doubt which field is meant.
function single(value: string, schema: JsonSchema): unknown {
  const required = listOf<string>(schema.required);
  const [name] = required;
  if (required.length !== 1 || name === undefined || /^\s*[{[]/.test(value)) return undefined;
  return propertiesOf(schema)[name]?.type === 'string' ? { [name]: value } : undefined;
}

function coerceList(value: unknown, schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  const items = itemsOf(schema) ?? {};
  const all = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? (parsed(value, Array.isArray) ?? (/^\s*[{[]/.test(value) ? value : [value]))
      : isRecord(value)
        ? (listIn(value, resolveSchema(items, root)) ?? [value])
        : value;
  return Array.isArray(all) ? all.map((item) => coerce(item, items, root, depth + 1)) : all;
}

// The list that the only key of a wrapper holds, unless the key is one that an item may have.
function listIn(value: { readonly [key: string]: unknown }, items: JsonSchema): readonly unknown[] | undefined {
  const [only, ...others] = Object.values(value);
  if (others.length > 0 || !Array.isArray(only)) return undefined;
  const names = Object.keys(propertiesOf(items));
  return items.type !== 'object' || (names.length > 0 && !knowsKeys(value, items)) ? only : undefined;
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

function nullable(schema: JsonSchema): boolean {
  return listOf<unknown>(schema.type).includes('null') || listOf<JsonSchema>(schema.anyOf).some((choice) => choice?.type === 'null');
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const listOf = <T = unknown>(value: unknown): readonly T[] => (Array.isArray(value) ? (value as T[]) : []);
