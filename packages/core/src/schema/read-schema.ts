import type * as z from 'zod';
import { InvalidArgumentError } from '../errors.js';
import { isPromiseLike } from '../waiting.js';
import type { JsonSchema } from './coerce-to-schema.js';
import { jsonSchemaOfZod, zodOfJsonSchema } from './convert-schema.js';

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
 * @throws {@link InvalidArgumentError} it is none of these, uses what is not supported, validates asynchronously,
 * throws, or describes nothing; also from `check`, since some of it shows only there.
 */
export function readSchema(schema: JsonSchema | StandardSchema | z.ZodType): ReadSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null || isEmpty(schema))
    throw new InvalidArgumentError('The schema describes nothing. Pass a JSON Schema object, a zod schema or a Standard Schema.');
  if (isZod(schema)) {
    const json = guarded(() => jsonSchemaOfZod(schema));
    return { json, check: (value) => checkZod(schema, value) };
  }
  if (isStandard(schema)) return { json: undefined, check: (value) => checkStandard(schema, value) };
  const zod = guarded(() => zodOfJsonSchema(schema));
  return { json: schema, check: (value) => checkZod(zod, value) };
}

function checkZod(schema: z.ZodType, value: unknown): { readonly value: unknown } | { readonly problem: string } {
  const result = guarded(() => schema.safeParse(value));
  if (result.success) return { value: result.data };
  const [first] = result.error.issues;
  return {
    problem: `$${(first?.path ?? []).map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')}: ${first?.message ?? 'does not fit'}`,
  };
}

function checkStandard(schema: StandardSchema, value: unknown): { readonly value: unknown } | { readonly problem: string } {
  const result: unknown = guarded(() => schema['~standard'].validate(value));
  if (isPromiseLike(result)) {
    // Nobody waits for it any more, so that its failure must not go unhandled.
    Promise.resolve(result).catch(() => {});
    throw new InvalidArgumentError('The schema validates asynchronously. Pass one that does not.');
  }
  if (!isAnswer(result)) throw new InvalidArgumentError('The schema answered with neither a value nor issues. Correct its validate.');
  return result.issues ? { problem: String(result.issues[0]?.message ?? 'does not fit') } : { value: result.value };
}

// What a schema throws is its own: an unsupported keyword, a reference to nothing, an asynchronous or broken check.
function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new InvalidArgumentError('The schema cannot be used: it is broken, validates asynchronously, or uses what is not supported.', {
      cause,
    });
  }
}

type Answer = { readonly value?: unknown; readonly issues?: readonly ({ readonly message?: unknown } | undefined)[] | undefined };

function isAnswer(result: unknown): result is Answer {
  if (typeof result !== 'object' || result === null) return false;
  const { issues } = result as { readonly issues?: unknown };
  return issues === undefined ? 'value' in result : Array.isArray(issues);
}

function isEmpty(schema: object): boolean {
  return typeof schema === 'object' && Object.keys(schema).length === 0 && !isStandard(schema) && !isZod(schema);
}

function isZod(schema: object): schema is z.ZodType {
  return '_zod' in schema && 'safeParse' in schema;
}

function isStandard(schema: object): schema is StandardSchema {
  const standard = (schema as { readonly '~standard'?: { readonly validate?: unknown } | null })['~standard'];
  return typeof standard?.validate === 'function';
}
