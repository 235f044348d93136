import { type FromDirOptions, fromDir, type PersonaAgent, type SoulHook, soulHook } from '@x/persona-fs';
import type { AgentBudget, AgentSpec } from '@x/runtime';
import { initialState } from './initial-state.js';
import { type FeatureOptions, personaFeatures } from './persona-features.js';
import { SeedAgent } from './seed-agent.js';

export interface DirectoryAgentOptions extends Omit<FromDirOptions, 'budget'> {
  readonly budget?: AgentBudget | undefined;
  /** Settings of the features: compaction, imprints, retrieval and so on. */
  readonly features?: Omit<FeatureOptions, 'persona'> | undefined;
}

/** A directory as an agent of the second seed. Each runtime of it reads the files anew; within one they are frozen. */
export class DirectoryAgent extends SeedAgent {
  /** Real path. */
  readonly dir: string;
  readonly persona: PersonaAgent['persona'];
  readonly soul: string;
  readonly tools: PersonaAgent['tools'];
  readonly #options: DirectoryAgentOptions;
  #soulHook: SoulHook | undefined;

  constructor(made: PersonaAgent, options: DirectoryAgentOptions) {
    super(made.name, { does: made.does });
    this.dir = made.dir;
    this.persona = made.persona;
    this.soul = made.soul;
    this.tools = made.tools;
    this.#options = options;
  }

  override registry(into: Map<string, AgentSpec> = new Map()): Map<string, AgentSpec> {
    if (!into.has(this.name)) into.set(this.name, this.#fresh());
    return into;
  }

  /** The soul of the newest runtime; `reload` reads it anew for the next session, or a turn that reloads. */
  get newestSoul(): SoulHook | undefined {
    return this.#soulHook;
  }

  #fresh(): AgentSpec {
    const { features, budget, ...options } = this.#options;
    const { does, tools, model, hooks, persona, besideSoul } = fromDir(this.dir, { ...options, name: this.name, create: false });
    this.#soulHook = soulHook(this.dir, { hardLimits: false });
    return {
      does,
      tools,
      model,
      hooks,
      budget,
      features: [this.#soulHook, ...personaFeatures({ ...features, persona: { ...persona, baseSystemPrompt: besideSoul } })],
      scope: { directory: this.dir },
      initial: initialState(persona),
    };
  }
}

/**
 * Reads a directory as an agent: soul, memory, and all that its `persona.yaml` turns on.
 *
 * @throws `persona_dir_missing`, unless `create`.
 */
export function directoryAgent(dir: string, options: DirectoryAgentOptions = {}): DirectoryAgent {
  const { features: _features, budget: _budget, ...rest } = options;
  return new DirectoryAgent(fromDir(dir, rest), options);
}
