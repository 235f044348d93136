import { type ObjectSchema, readToolSchema, type ToolSpec } from '@x/core';
import { ToolSchemaInvalidError } from './errors.js';

export type { ObjectSchema } from '@x/core';

/**
 * Makes a tool's input schema into a JSON Schema object, see `readToolSchema` of `@x/core`.
 *
 * @throws {@link ToolSchemaInvalidError} naming the tool: no JSON form, an empty one, or one that is not of type object.
 */
export function toolSchemaOf({ name, inputSchema }: Pick<ToolSpec, 'name' | 'inputSchema'>): ObjectSchema {
  const read = readToolSchema(inputSchema);
  if ('problem' in read) throw new ToolSchemaInvalidError({ tool: name, problem: read.problem });
  return read.schema;
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
