import type { ToolSpec } from '@x/core';
import { ToolSchemaInvalidError } from './errors.js';

/** A JSON Schema of type object, as providers want it for a tool's input. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: { readonly [name: string]: unknown };
  readonly required?: readonly string[] | undefined;
  readonly [keyword: string]: unknown;
}

interface StandardJsonSchema {
  readonly '~standard'?:
    | { readonly vendor?: unknown; readonly jsonSchema?: { input?(options: { target: string }): unknown } | undefined }
    | undefined;
  toJSONSchema?(): unknown;
  toJsonSchema?(): unknown;
}

/**
 * Makes a tool's input schema into a JSON Schema object. A plain object is taken as it is; a Standard Schema gives its
 * own JSON form (zod from 4.2, arktype, and whatever follows Standard JSON Schema).
 *
 * @throws {@link ToolSchemaInvalidError} naming the tool: no JSON form, an empty one, or one that is not of type object.
 */
export function toolSchemaOf({ name, inputSchema }: Pick<ToolSpec, 'name' | 'inputSchema'>): ObjectSchema {
  const refuse = (problem: string): never => {
    throw new ToolSchemaInvalidError({ tool: name, problem });
  };
  if ((typeof inputSchema !== 'object' && typeof inputSchema !== 'function') || inputSchema === null) {
    return refuse('inputSchema must be a JSON Schema object or a Standard Schema');
  }
  const schema = inputSchema as StandardJsonSchema;
  const isStandard = '~standard' in schema;
  const json = isStandard ? jsonFormOf(schema, refuse) : inputSchema;
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return refuse('its schema has no JSON form. Pass a JSON Schema object');
  if (isStandard && Object.keys(json).length === 0) return refuse('its schema has an empty JSON form. Pass a JSON Schema object');
  const { $schema: _dialect, type, properties, ...rest } = json as { readonly [keyword: string]: unknown };
  if (type !== undefined && type !== 'object') return refuse('the input schema must be of type object');
  if (properties !== undefined && (typeof properties !== 'object' || properties === null)) return refuse('properties must be an object');
  return { ...rest, type: 'object', properties: (properties ?? {}) as ObjectSchema['properties'] };
}

function jsonFormOf(schema: StandardJsonSchema, refuse: (problem: string) => never): unknown {
  try {
    const converter = schema['~standard']?.jsonSchema;
    if (converter?.input) return converter.input({ target: 'draft-2020-12' });
    if (typeof schema.toJSONSchema === 'function') return schema.toJSONSchema();
    if (typeof schema.toJsonSchema === 'function') return schema.toJsonSchema();
  } catch (error) {
    return refuse(`its schema cannot be written as JSON Schema (${error instanceof Error ? error.name : 'unknown error'})`);
  }
  return refuse('its schema has no JSON form. Update the schema library or pass a JSON Schema object');
}

/**
 * Remembers the JSON forms of schemas, so that a tool is converted once and not for each request.
 */
export function createSchemaCache(): (tool: ToolSpec) => ObjectSchema {
  const known = new WeakMap<object, ObjectSchema>();
  return (tool) => {
    const key = tool.inputSchema;
    const seen = typeof key === 'object' && key !== null ? known.get(key) : undefined;
    if (seen) return seen;
    const made = toolSchemaOf(tool);
    if (typeof key === 'object' && key !== null) known.set(key, made);
    return made;
  };
}
