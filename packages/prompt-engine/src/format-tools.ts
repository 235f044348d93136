import type { ToolSpec } from '@x/core';
import type { Report } from './prompt-context.js';

/**
 * Tools as a provider's field `tools` wants them: `openai_functions` (default), `anthropic_tools`, or
 * `google_functions`. Only name, description and schema are read, so a class instance with getters works too.
 */
export function formatTools(
  tools: readonly ToolSpec[],
  format: string | undefined,
  toJsonSchema: ((schema: unknown) => object) | undefined,
  report: Report,
): { readonly sent: readonly ToolSpec[]; readonly schemas: readonly object[] } {
  const sent: ToolSpec[] = [];
  const schemas: object[] = [];
  for (const tool of tools) {
    const { name, description } = tool;
    const schema = schemaOf(tool.inputSchema, toJsonSchema);
    if (schema === undefined) {
      const message = `The tool ${name} was left out: its schema needs the option toJsonSchema.`;
      report('tool_schema_unsupported', 'error', message, { tool: name });
      continue;
    }
    sent.push({ name, description, inputSchema: schema });
    if (format === 'anthropic_tools') schemas.push({ name, description, input_schema: schema });
    else if (format === 'google_functions') schemas.push({ name, description, parameters: schema });
    else schemas.push({ type: 'function', function: { name, description, parameters: schema } });
  }
  return { sent, schemas };
}

function schemaOf(schema: unknown, toJsonSchema: ((schema: unknown) => object) | undefined): object | undefined {
  const isStandard = (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema;
  if (isStandard) return toJsonSchema?.(schema);
  const plain = schema ?? {};
  if (typeof plain !== 'object' || Array.isArray(plain)) return undefined;
  return Object.keys(plain).length === 0 ? { type: 'object', properties: {}, additionalProperties: false } : plain;
}
