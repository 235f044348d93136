import { InvalidArgumentError, type ITool, type ToolContext, type ToolResult } from '@x/core';
import { ToolInvalidError } from './errors.js';
import { asResult, thrownText } from './tool-outcome.js';
import { checkTool, readArguments } from './tool-set.js';

/** What the built-in tools may do. */
export interface BuiltinOptions {
  /** The folder that files are confined to, by real path; default: the folder that the process runs in. */
  readonly root?: string | undefined;
  /** True adds `write` and `edit`; default false. */
  readonly allowWrite?: boolean | undefined;
  /** True, or its options, adds `bash`; default false. It is no sandbox: the command runs with the rights of this process. */
  readonly shell?: boolean | ShellOptions | undefined;
}

export interface ShellOptions {
  /** The environment of commands, beside PATH, HOME, LANG and TMPDIR; names that look like secrets are left out. Nothing is inherited. */
  readonly env?: { readonly [name: string]: string } | undefined;
  /** Milliseconds; default 120,000. */
  readonly timeoutMs?: number | undefined;
  /** Characters of output that a model sees, its middle left out beyond; default 30,000. */
  readonly maxOutputChars?: number | undefined;
}

export interface ToolkitOptions extends BuiltinOptions {
  /** False leaves out the built-in tools; a record leaves out single ones, such as `{ grep: false }`. Default true. */
  readonly builtins?: boolean | { readonly [tool: string]: boolean } | undefined;
  /** Tools of the host; one with the name of a built-in takes its place. */
  readonly tools?: readonly ITool[] | undefined;
}

/** A set of tools that a client runs with. */
export interface Toolkit {
  /** @throws `tool_invalid`: the name is taken, or a provider would refuse the tool. */
  register(...tools: readonly ITool[]): void;
  /** The same list object until something is registered. */
  tools(): readonly ITool[];
  get(name: string): ITool | undefined;
  /** Runs a tool as a model's call would; failure is a result. */
  execute(name: string, args: unknown, context?: ToolContext): Promise<ToolResult>;
}

/**
 * Makes a set of tools: `read`, `grep` and `glob`, with `allowWrite` also `write` and `edit`, with `shell` also `bash`,
 * and the host's own. The built-in ones are loaded on this call and need Node; `builtins: false` runs anywhere.
 *
 * @throws `tool_invalid`, `invalid_argument` when the root is no folder.
 */
export async function createToolkit({ builtins = true, tools: own = [], ...options }: ToolkitOptions = {}): Promise<Toolkit> {
  const named = new Map<string, ITool>();
  let list: readonly ITool[] | undefined;
  const register = (...tools: readonly ITool[]): void => {
    for (const tool of tools) checkTool(tool);
    const names = [...named.keys(), ...tools.map((tool) => tool.name)];
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new ToolInvalidError({ tool: twice, problem: 'two tools have this name; rename one' });
    for (const tool of tools) named.set(tool.name, tool);
    list = undefined;
  };
  if (builtins !== false) {
    const { builtinTools } = await import('./node/index.js');
    const wanted = builtins === true ? {} : builtins;
    const taken = new Set(own.map((tool) => tool.name));
    register(...builtinTools(options).filter(({ name }) => wanted[name] !== false && !taken.has(name)));
  } else if (options.allowWrite || options.shell) {
    throw new InvalidArgumentError('createToolkit: allowWrite and shell choose built-in tools. Leave them out, or builtins: false.');
  }
  register(...own);
  return {
    register,
    tools() {
      list ??= [...named.values()];
      return list;
    },
    get: (name) => named.get(name),
    async execute(name, args, context = {}) {
      const tool = named.get(name);
      if (!tool) return { output: `Unknown tool: ${name}. Known tools: ${[...named.keys()].sort().join(', ') || 'none'}.`, isError: true };
      try {
        const call = { id: context.callId ?? name, type: 'function' as const, function: { name, arguments: JSON.stringify(args ?? {}) } };
        const read = await readArguments(call, tool);
        if ('problem' in read) return { output: read.problem, isError: true };
        return asResult(await tool.execute(read.args as never, context));
      } catch (error) {
        return { output: thrownText(error), isError: true };
      }
    },
  };
}
