import { readToolSchema, type ToolSpec } from '@x/core';
import type { Report } from './prompt-context.js';

/**
 * Tools as a provider's field `tools` wants them: `openai_functions` (default), `anthropic_tools`, or
 * `google_functions`. Only name, description and schema are read, so a class instance with getters works too. One that
 * would have the whole request refused is left out.
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
    const problem = !NAME.test(name)
      ? 'its name is not 1 to 64 letters, digits, dashes and underscores'
      : isTaken(name, sent)
        ? 'another has its name'
        : undefined;
    if (problem !== undefined) {
      report('tool_name_invalid', 'error', `The tool ${name} was left out: ${problem}.`, { tool: name });
      continue;
    }
    const read = schemaOf(tool.inputSchema, toJsonSchema);
    if ('problem' in read) {
      const message = `The tool ${name} was left out: ${read.problem}.`;
      report('tool_schema_unsupported', 'error', message, { tool: name });
      continue;
    }
    const { schema } = read;
    sent.push({ name, description, inputSchema: schema });
    if (format === 'anthropic_tools') schemas.push({ name, description, input_schema: schema });
    else if (format === 'google_functions') schemas.push({ name, description, parameters: schema });
    else schemas.push({ type: 'function', function: { name, description, parameters: schema } });
  }
  return { sent, schemas };
}

/** What OpenAI, Anthropic and Google all take. */
const NAME = /^[\w-]{1,64}$/;

function isTaken(name: string, sent: readonly ToolSpec[]): boolean {
  return sent.some((other) => other.name === name);
}

function schemaOf(
  given: unknown,
  toJsonSchema: ((schema: unknown) => object) | undefined,
): { readonly schema: object } | { readonly problem: string } {
  const schema = given ?? {};
  const isStandard = (typeof schema === 'object' || typeof schema === 'function') && '~standard' in schema;
  if (isStandard && toJsonSchema) return { schema: toJsonSchema(schema) };
  if (!isStandard && Object.keys(schema).length === 0 && !Array.isArray(schema))
    return { schema: { type: 'object', properties: {}, additionalProperties: false } };
  return readToolSchema(schema);
}
