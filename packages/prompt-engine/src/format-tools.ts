import type { ToolSpec } from '@x/core';
import type { PromptIssue } from './prompt-context.js';
import { isPlainObject } from './read-shape.js';

/**
 * Tools as a provider's field `tools` wants them: `openai_functions` (default), `anthropic_tools`, or
 * `google_functions`. Only name, description and schema are read, so a class instance with getters works too.
 */
export function formatTools(
  tools: readonly ToolSpec[],
  format: string,
  toJsonSchema: ((schema: unknown) => object) | undefined,
): { readonly tools: readonly ToolSpec[]; readonly schemas: readonly object[]; readonly issues: readonly PromptIssue[] } {
  const issues: PromptIssue[] = [];
  const sent: ToolSpec[] = [];
  const schemas: object[] = [];
  for (const tool of tools) {
    const { name, description } = tool;
    const schema = schemaOf(tool.inputSchema, toJsonSchema);
    if (schema === undefined) {
      issues.push({
        code: 'tool_schema_unsupported',
        severity: 'error',
        message: `The schema of the tool ${name} is no plain JSON Schema, so the tool was left out; give the option toJsonSchema.`,
        details: { tool: name },
      });
      continue;
    }
    sent.push({ name, description, inputSchema: schema });
    if (format === 'anthropic_tools') schemas.push({ name, description, input_schema: schema });
    else if (format === 'google_functions') schemas.push({ name, description, parameters: schema });
    else schemas.push({ type: 'function', function: { name, description, parameters: schema } });
  }
  return { tools: sent, schemas, issues };
}

function schemaOf(schema: unknown, toJsonSchema: ((schema: unknown) => object) | undefined): object | undefined {
  if (schema === undefined || schema === null) return { type: 'object', properties: {}, additionalProperties: false };
  const isStandard = (typeof schema === 'object' || typeof schema === 'function') && '~standard' in schema;
  if (isStandard) return toJsonSchema?.(schema);
  if (!isPlainObject(schema)) return undefined;
  return Object.keys(schema).length === 0 ? { type: 'object', properties: {}, additionalProperties: false } : schema;
}
