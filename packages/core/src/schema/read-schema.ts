import * as z from 'zod';
import { InvalidArgumentError } from '../errors.js';
import type { JsonSchema } from './coerce-to-schema.js';

/** Any validator that follows the Standard Schema convention, version 1. */
export interface StandardSchema<T = unknown> {
  readonly '~standard': {
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: T; readonly issues?: undefined }
      | { readonly issues: readonly { readonly message: string }[] }
      | Promise<unknown>;
  };
}

/** A schema made ready: its JSON form for coercion, if it has one, and its check. */
export interface ReadSchema {
  readonly json: JsonSchema | undefined;
  check(value: unknown): { readonly value: unknown } | { readonly problem: string };
}

/**
 * Makes a plain JSON Schema, a zod schema or any Standard Schema ready for use.
 *
 * @throws {@link InvalidArgumentError} it is none of these, it validates asynchronously, or it describes nothing.
 */
export function readSchema(schema: JsonSchema | StandardSchema | z.ZodType): ReadSchema {
  if (isZod(schema))
    return {
      json: z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema,
      check: (value) => checkZod(schema, value),
    };
  if (isStandard(schema)) return { json: undefined, check: (value) => checkStandard(schema, value) };
  if (typeof schema !== 'object' || schema === null || Object.keys(schema).length === 0) {
    throw new InvalidArgumentError('The schema describes nothing. Pass a JSON Schema object, a zod schema or a Standard Schema.');
  }
  const zod = z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema);
  return { json: schema, check: (value) => checkZod(zod, value) };
}

function checkZod(schema: z.ZodType, value: unknown): { readonly value: unknown } | { readonly problem: string } {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  const [first] = result.error.issues;
  return {
    problem: `$${(first?.path ?? []).map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')}: ${first?.message ?? 'does not fit'}`,
  };
}

function checkStandard(schema: StandardSchema, value: unknown): { readonly value: unknown } | { readonly problem: string } {
  const result = schema['~standard'].validate(value);
  if (result instanceof Promise) throw new InvalidArgumentError('The schema validates asynchronously. Pass one that does not.');
  return result.issues ? { problem: result.issues[0]?.message ?? 'does not fit' } : { value: result.value };
}

function isZod(schema: object): schema is z.ZodType {
  return '_zod' in schema && 'safeParse' in schema;
}

function isStandard(schema: object): schema is StandardSchema {
  return '~standard' in schema;
}
