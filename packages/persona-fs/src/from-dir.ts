import type { IPersonaDefinition, ITool, TurnHook } from '@x/core';
import { type ComposedSoul, composeSoul } from './compose-soul.js';
import { PersonaDirError } from './errors.js';
import { loadPersona } from './load-persona.js';
import { memoryTool } from './memory-tool.js';
import { realDir } from './open-dir.js';

export interface FromDirOptions {
  /** What a delegating model is told; default from the front matter's `role`. Never holds a path. */
  readonly does?: string | undefined;
  /** Default: the directory's name. */
  readonly name?: string | undefined;
  /** Default `inherit`. */
  readonly model?: string | undefined;
  readonly tools?: readonly ITool[] | undefined;
  /** False leaves the memory tool out. */
  readonly memory?: boolean | undefined;
  readonly budget?: { readonly [limit: string]: number | undefined } | undefined;
  readonly hooks?: TurnHook | undefined;
}

/** An agent as plain data: what a runtime needs to build one. */
export interface PersonaAgent {
  readonly name: string;
  readonly does: string;
  readonly soul: string;
  readonly model: string;
  readonly tools: readonly ITool[];
  readonly memory: boolean;
  readonly budget?: FromDirOptions['budget'];
  readonly hooks?: TurnHook | undefined;
  /** Real path. */
  readonly dir: string;
  readonly persona: IPersonaDefinition;
  readonly composed: ComposedSoul;
}

/** Reads a directory as an agent. */
export function fromDir(dir: string, options: FromDirOptions = {}): PersonaAgent {
  const root = realDir(dir);
  if (root === undefined) throw new PersonaDirError('does not exist');
  const composed = composeSoul(root);
  const persona = loadPersona(root);
  const { name = persona.id, does = persona.description ?? persona.name, model = 'inherit', memory = true, budget, hooks } = options;
  const tools = [...(options.tools ?? []), ...(memory ? [memoryTool(root) as ITool] : [])];
  return { name, does, soul: composed.soul, model, tools, memory, budget, hooks, dir: root, persona, composed };
}
