/** A JSON Schema, as far as coercion reads it. */
export type JsonSchema = { readonly [key: string]: unknown };

/** Deeper values are left as they are: a schema may refer to itself. */
export const MAX_SCHEMA_DEPTH = 40;

/** The schema that a reference names, within the same document; else the schema itself; for `true`, one that demands nothing. */
export function resolveSchema(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (!isRecord(schema)) return {};
  const ref = schema.$ref;
  if (typeof ref !== 'string') return schema;
  if (ref === '#') return root;
  const target = ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined), root);
  return isRecord(target) ? target : schema;
}

export function propertiesOf(schema: JsonSchema): { readonly [name: string]: JsonSchema } {
  return isRecord(schema.properties) ? (schema.properties as { readonly [name: string]: JsonSchema }) : {};
}

export function itemsOf(schema: JsonSchema): JsonSchema | undefined {
  return isRecord(schema.items) ? schema.items : undefined;
}

export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
