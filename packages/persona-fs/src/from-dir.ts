import type { IChatModel, IPersonaDefinition, ITool, TurnHook } from '@x/core';
import { type ComposedSoul, composeSoul } from './compose-soul.js';
import { PersonaDirError } from './errors.js';
import { inboxTool } from './inbox-tool.js';
import { readPersona } from './load-persona.js';
import { type MemoryToolOptions, memoryTool } from './memory-tool.js';
import { realDir } from './open-dir.js';
import { openMemory } from './open-memory.js';
import { ensureRoot } from './own-dirs.js';
import type { PersonaProblem } from './problems.js';

/** Limits of an agent, by the runtime's names. */
export type AgentBudget = { readonly [limit: string]: number | undefined };

export interface FromDirOptions {
  /** What a model that may delegate to this agent is told of it; default from the persona's description. Never holds a path. */
  readonly does?: string | undefined;
  /** Default: the persona's id, which is the directory's name without special characters. */
  readonly name?: string | undefined;
  /** A model or its name; default `inherit`. */
  readonly model?: string | IChatModel | undefined;
  /** Go before the memory tool; a tool named `memory` takes its place. */
  readonly tools?: readonly ITool[] | undefined;
  /** False makes a persona that cannot write; options go to the memory tool. Default true. */
  readonly memory?: boolean | MemoryToolOptions | undefined;
  /** True adds the tool `memory_inbox`, by which the owner promotes what strangers told. Default false: its listing shows their words. */
  readonly inbox?: boolean | undefined;
  readonly budget?: AgentBudget | undefined;
  readonly hooks?: TurnHook | undefined;
  /** Make the directory when it is missing, instead of failing. Default false. */
  readonly create?: boolean | undefined;
  /** Called for each file or field that was left out. */
  readonly onProblem?: ((problem: PersonaProblem) => void) | undefined;
}

/** An agent as plain data: what a runtime needs to build one. */
export interface PersonaAgent {
  readonly name: string;
  readonly does: string;
  /** Frozen when `fromDir` was called; call it again, or {@link composeSoul}, for a new session. */
  readonly soul: string;
  readonly model: string | IChatModel;
  /** The host's tools, then `memory` and what else was asked for. */
  readonly tools: readonly ITool[];
  readonly memory: boolean;
  readonly budget?: AgentBudget | undefined;
  readonly hooks?: TurnHook | undefined;
  /** Real path: the lane is `dir:<dir>`. */
  readonly dir: string;
  readonly persona: IPersonaDefinition;
  /** What `persona.baseSystemPrompt` holds beside the soul; `''` for nothing. */
  readonly besideSoul: IPersonaDefinition['baseSystemPrompt'];
  readonly composed: ComposedSoul;
  readonly problems: readonly PersonaProblem[];
}

/**
 * Reads a directory as an agent: its soul, its memory tool, its adaptive part.
 *
 * @throws `persona_dir_missing`, unless `create`.
 */
export function fromDir(dir: string, options: FromDirOptions = {}): PersonaAgent {
  if (options.create === true) ensureRoot(dir);
  const root = realDir(dir);
  if (root === undefined) throw new PersonaDirError('is missing, or is no directory');
  const composed = composeSoul(root);
  const { persona, besideSoul, problems } = readPersona(root, { onProblem: options.onProblem });
  const { memory = true, tools: given = [], name = persona.id, does = persona.description ?? persona.name, model = 'inherit' } = options;
  const tools = memory === false ? given : withOwn(given, root, memory === true ? {} : memory, options.inbox === true);
  return {
    name,
    does,
    soul: composed.soul,
    model,
    tools,
    memory: memory !== false,
    budget: options.budget,
    hooks: options.hooks,
    dir: root,
    persona,
    besideSoul,
    composed,
    problems,
  };
}

/** The host's tools and those of the directory whose names the host has not taken. */
function withOwn(given: readonly ITool[], root: string, options: MemoryToolOptions, inbox: boolean): readonly ITool[] {
  const { notes = openMemory(root, options) } = options;
  const own = [memoryTool(root, { ...options, notes }), ...(inbox ? [inboxTool(root, { ...options, notes })] : [])] as readonly ITool[];
  return [...given, ...own.filter(({ name }) => !given.some((tool) => tool.name === name))];
}
