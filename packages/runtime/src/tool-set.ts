import { type ITool, readToolSchema, type ToolCall, type ToolSpec } from '@x/core';
import { ToolInvalidError } from './errors.js';
import { fitArguments } from './fit-arguments.js';
import { thrownText } from './tool-outcome.js';

/** Tools by name, and what a model is told of them: sorted by name, always the same list object. */
export interface ToolSet {
  readonly byName: ReadonlyMap<string, ITool>;
  readonly specs: readonly ToolSpec[];
}

/** @throws {@link ToolInvalidError} a name that providers refuse, the same name twice, a schema that is no object. */
export function createToolSet(tools: readonly ITool[]): ToolSet {
  const byName = new Map<string, ITool>();
  for (const tool of tools) {
    checkTool(tool);
    if (byName.has(tool.name)) throw new ToolInvalidError({ tool: tool.name, problem: 'two tools have this name; rename one' });
    byName.set(tool.name, tool);
  }
  const specs = [...byName.values()]
    .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { byName, specs };
}

/** Tool sets of a session: its own, and those that runs bring. Lists that say the same to a model share their specs. */
export function createToolSets(own: readonly ITool[]): (tools: readonly ITool[] | undefined) => ToolSet {
  const known = new WeakMap<readonly ITool[], ToolSet>();
  let last = createToolSet(own);
  known.set(own, last);
  return (tools = own) => {
    const seen = known.get(tools);
    if (seen?.byName.size === tools.length) return seen;
    const made = createToolSet(tools);
    if (JSON.stringify(made.specs) === JSON.stringify(last.specs)) last = { ...made, specs: last.specs };
    else last = made;
    known.set(tools, last);
    return last;
  };
}

/** @throws {@link ToolInvalidError} */
export function checkTool(tool: ITool): void {
  const name = String(tool?.name);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw new ToolInvalidError({ tool: name, problem: 'a name has 1 to 64 letters, digits, dashes and underscores' });
  if (typeof tool.execute !== 'function') throw new ToolInvalidError({ tool: name, problem: 'execute must be a function' });
  const description: unknown = tool.description;
  if (description !== undefined && typeof description !== 'string')
    throw new ToolInvalidError({ tool: name, problem: 'description must be a text' });
  const read = readToolSchema(tool.inputSchema);
  if ('problem' in read) throw new ToolInvalidError({ tool: name, problem: read.problem });
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * Reads a call's arguments.
 *
 * @returns The arguments, or `problem`: what to tell the model. Blank arguments count as `{}` only where the schema
 * demands nothing. What a schema refuses is looked at once more in the form that it names.
 */
export async function readArguments(
  call: ToolCall & { readonly unparseable?: string | undefined },
  tool: ITool,
): Promise<{ readonly args: unknown } | { readonly problem: string }> {
  const text = call.function.arguments.trim();
  if (call.unparseable !== undefined && text !== '') return { problem: `The arguments are not JSON: ${call.unparseable}` };
  let args: unknown = {};
  if (text !== '') {
    try {
      args = JSON.parse(text);
    } catch (error) {
      return { problem: `The arguments are not JSON: ${error instanceof Error ? error.message : String(error)}` };
    }
  }
  const schema = tool.inputSchema as {
    readonly '~standard'?: { validate(value: unknown): Checked | Promise<Checked> } | undefined;
    readonly required?: unknown;
  };
  const standard = schema['~standard'];
  if (standard) {
    try {
      const checked = await standard.validate(args);
      if (!checked.issues) return { args: checked.value };
      const read = readToolSchema(tool.inputSchema);
      const fitted = 'schema' in read ? fitArguments(args, read.schema) : args;
      const again = fitted === args ? checked : await standard.validate(fitted);
      return again.issues ? { problem: `The arguments do not fit: ${checked.issues.map(issueText).join('; ')}.` } : { args: again.value };
    } catch (error) {
      // A refinement of the host that throws instead of reporting says no all the same.
      return { problem: `The arguments do not fit: ${thrownText(error)}.` };
    }
  }
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return { problem: 'The arguments must be one JSON object.' };
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const missing = required.filter((name) => !Object.hasOwn(args as object, name));
  return missing.length > 0 ? { problem: `Missing: ${missing.join(', ')}.` } : { args: fitArguments(args, schema) };
}

/** An issue with the place that it is about, without which a model cannot mend it. */
function issueText({ message, path = [] }: Issue): string {
  const place = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
  return place === '' ? message : `${place}: ${message}`;
}

type Checked = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
