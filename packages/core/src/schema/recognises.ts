import type { JsonSchema } from './json-schema.js';
import { itemsOf, MAX_SCHEMA_DEPTH, propertiesOf, resolveSchema } from './json-schema.js';

/**
 * True when the schema knows something of each object in a value: at least one key, or the object is empty, or the schema
 * names none. Else validation would pass with nothing in it, and what the reply said would be lost without a word.
 */
export function recognises(value: unknown, schema: JsonSchema): boolean {
  return knows(value, schema, schema, 0);
}

/** The same for one object, without what is inside of it. */
export function knowsKeys(value: object, schema: JsonSchema): boolean {
  const names = propertiesOf(schema);
  const keys = Object.keys(value);
  return Object.keys(names).length === 0 || keys.length === 0 || keys.some((key) => Object.hasOwn(names, key));
}

function knows(value: unknown, schema: JsonSchema, root: JsonSchema, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_SCHEMA_DEPTH) return true;
  const own = resolveSchema(schema, root);
  const choices = [own.anyOf, own.oneOf].flatMap((list) => (Array.isArray(list) ? (list as JsonSchema[]) : []));
  if (choices.length > 0) {
    const fitting = choices.map((choice) => resolveSchema(choice, root)).filter((choice) => mayHold(choice, value));
    // Which of several is meant is for validation to say; each is looked at no deeper, or the work would double per level.
    if (fitting.length > 1) return fitting.some((choice) => Array.isArray(value) || knowsKeys(value, choice));
    return fitting[0] ? knows(value, fitting[0], root, depth + 1) : true;
  }
  if (Array.isArray(value)) {
    const items = itemsOf(own);
    return items === undefined || value.every((item) => knows(item, items, root, depth + 1));
  }
  if (!knowsKeys(value, own)) return isOpen(own) && depth > 0;
  const names = propertiesOf(own);
  return Object.entries(value).every(([key, item]) => {
    const property = Object.hasOwn(names, key) ? names[key] : undefined;
    return property === undefined || knows(item, property, root, depth + 1);
  });
}

// A schema that asks for further keys in so many words.
function isOpen(schema: JsonSchema): boolean {
  const { additionalProperties: further, patternProperties: patterns } = schema;
  return further === true || (typeof further === 'object' && further !== null) || patterns !== undefined;
}

function mayHold(schema: JsonSchema, value: object): boolean {
  const { type } = schema;
  const name = Array.isArray(value) ? 'array' : 'object';
  return type === undefined || type === name || (Array.isArray(type) && type.includes(name));
}
