import * as z from 'zod';
import type { JsonSchema } from './coerce-to-schema.js';

/** @throws whatever zod throws for what it does not support. */
export function zodOfJsonSchema(schema: JsonSchema): z.ZodType {
  return z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema);
}

/** What the schema takes, not what it makes of it; `{}` for what JSON Schema cannot say. */
export function jsonSchemaOfZod(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}
