import { isUnion, oneObject } from './one-object.js';

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
 * Reads a tool's input schema as a JSON Schema object. A plain object is taken as it is; a Standard Schema gives its own
 * JSON form (zod from 4.2, arktype, and whatever follows Standard JSON Schema). A reference or a union at its top, which no
 * provider takes there, becomes one object with the properties of all its parts.
 *
 * @returns The schema, or `problem`: why a model cannot be told of it.
 */
export function readToolSchema(inputSchema: unknown): { readonly schema: ObjectSchema } | { readonly problem: string } {
  if ((typeof inputSchema !== 'object' && typeof inputSchema !== 'function') || inputSchema === null || Array.isArray(inputSchema)) {
    return { problem: 'inputSchema must be a JSON Schema object or a Standard Schema' };
  }
  const isStandard = '~standard' in inputSchema;
  const form = isStandard ? jsonFormOf(inputSchema as StandardJsonSchema) : { json: inputSchema as unknown };
  if ('problem' in form) return form;
  if (!isRecord(form.json)) return { problem: 'its schema has no JSON form. Pass a JSON Schema object' };
  if (isStandard && Object.keys(form.json).length === 0) return { problem: 'its schema has an empty JSON form. Pass a JSON Schema object' };
  const json = isUnion(form.json) ? oneObject(form.json) : form.json;
  const { $schema: _dialect, type, properties, ...rest } = json;
  if (type !== undefined && type !== 'object') {
    return { problem: `the input schema must be of type object, not ${(JSON.stringify(type) ?? typeof type).slice(0, 30)}` };
  }
  if (properties !== undefined && !isRecord(properties)) return { problem: 'properties must be an object' };
  const { required } = rest;
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string'))) {
    return { problem: 'required must be a list of names' };
  }
  return { schema: { ...rest, type: 'object', properties: properties ?? {} } as ObjectSchema };
}

function jsonFormOf(schema: StandardJsonSchema): { readonly json: unknown } | { readonly problem: string } {
  try {
    const converter = schema['~standard']?.jsonSchema;
    if (converter?.input) return { json: converter.input({ target: 'draft-2020-12' }) };
    if (typeof schema.toJSONSchema === 'function') return { json: schema.toJSONSchema() };
    if (typeof schema.toJsonSchema === 'function') return { json: schema.toJsonSchema() };
  } catch (error) {
    return { problem: `its schema cannot be written as JSON Schema (${error instanceof Error ? error.name : 'unknown error'})` };
  }
  return { problem: 'its schema has no JSON form. Update the schema library or pass a JSON Schema object' };
}

function isRecord(value: unknown): value is { readonly [keyword: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
