import type { JsonSchema } from '@x/core/schema';

/** Reads the JSON of a reply against a schema; `null` when there is none. Loads the schema reader on first use. */
export async function readJson(text: string, schema?: JsonSchema): Promise<unknown> {
  const { extractJson } = await import('@x/core/schema');
  try {
    return extractJson(text, schema);
  } catch {
    return null;
  }
}
