import type { IChatModel, ITool } from '@x/core';
import {
  Agent,
  type AgentRun,
  AgentRuntime,
  type AgentSpec,
  type RuntimeOptions,
  type AgentRunOptions as RuntimeRunOptions,
} from '@x/runtime';
import { type Endpoint, modelOf } from './model-of.js';

/** Where an agent's model is: an endpoint in the words of the seed, or a model. */
export interface ModelChoice {
  readonly llm?: Endpoint | undefined;
  readonly model?: IChatModel | string | undefined;
}
export type AgentRuntimeOptions = Omit<RuntimeOptions, 'model'> & ModelChoice;
export type AgentRunOptions = Omit<RuntimeRunOptions, 'model'> & ModelChoice;

/** As the agent of `@x/runtime`, whose runs also take a model's name and address. */
export class SeedAgent extends Agent {
  /** @throws what {@link modelOf} throws. */
  override createRuntime(options: AgentRuntimeOptions): AgentRuntime {
    return new AgentRuntime({ ...withModel(options), registry: this.registry() });
  }

  /** One run in a runtime of its own. Rejects only when there is no model: see {@link modelOf}. */
  override async run(prompt: string, options: AgentRunOptions): Promise<AgentRun> {
    return super.run(prompt, withModel(options));
  }

  override asTool(options: AgentRuntimeOptions): ITool<{ prompt: string }> {
    return super.asTool(withModel(options));
  }
}

/** Makes an agent of the second seed. @throws `invalid_argument` for a name that could not be part of an id. */
export function seedAgent(name: string, spec: AgentSpec): SeedAgent {
  return new SeedAgent(name, spec);
}

function withModel<T extends ModelChoice>({ llm, model, ...options }: T): Omit<T, 'llm' | 'model'> & { readonly model: IChatModel } {
  return { ...options, model: modelOf(llm ?? { model }) };
}
