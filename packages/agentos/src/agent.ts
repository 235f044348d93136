import {
  type Clock,
  createId,
  createMemoryStore,
  type IAgentStore,
  type IChatModel,
  type IPersonaDefinition,
  type ITool,
  type Random,
  type TurnHook,
} from '@x/core';
import type { TurnEvent, TurnResult } from '@x/runtime';
import { type Cognition, sentimentOf } from './cognition.js';
import { ConfigurationError, ShutDownError } from './errors.js';
import { GMI } from './gmi.js';
import { type ReplyStream, replyStream } from './reply-stream.js';
import { createResolver } from './resolve-model.js';
import type { Run } from './start-run.js';

export interface AgentConfig {
  /** `gmi` is the only runtime, and what is built when it is left out. */
  readonly runtime?: 'gmi' | undefined;
  readonly instructions: string;
  readonly name?: string | undefined;
  /** Default `light`. */
  readonly cognition?: Cognition | undefined;
  /** A model, or the name of one at a built-in provider; default `gpt-4o-mini`. */
  readonly model?: IChatModel | string | undefined;
  readonly tools?: readonly ITool[] | undefined;
  readonly hooks?: TurnHook | undefined;
  /** HEXACO scores, 0 to 1. */
  readonly personality?: { readonly [trait: string]: number } | undefined;
  readonly store?: IAgentStore | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

export interface AgentSession {
  readonly id: string;
  send(text: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<TurnResult>;
  stream(text: string, options?: { readonly signal?: AbortSignal | undefined }): ReplyStream;
}

/** An agent made from instructions alone. */
export interface GmiAgent {
  readonly name: string;
  readonly config: AgentConfig;
  /** Answers once, remembering nothing. */
  generate(prompt: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<TurnResult>;
  stream(prompt: string, options?: { readonly signal?: AbortSignal | undefined }): ReplyStream;
  /** A talk that goes on; the same id is the same talk. */
  session(id: string): AgentSession;
  /** The GMI of a session. */
  gmi(id: string): GMI;
  /** Waits up to five seconds for running turns and background work. */
  shutdown(): Promise<void>;
}

/**
 * Makes an agent from instructions. Each session is a GMI.
 *
 * @throws `configuration_invalid` for an unknown runtime, cognition or preset.
 */
export function agent(config: AgentConfig): GmiAgent {
  if (config.runtime !== undefined && config.runtime !== 'gmi')
    throw new ConfigurationError(`There is no runtime "${String(config.runtime)}". Use "gmi", or leave it out.`);
  if (typeof config.instructions !== 'string' || config.instructions.trim() === '')
    throw new ConfigurationError('instructions must be a text that is not blank.');
  for (const part of ['voice', 'avatar', 'channels'])
    if (part in config) throw new ConfigurationError(`${part} is not built here. Leave it out.`);
  const { name = 'agent', random } = config;
  if (typeof name !== 'string' || name === '') throw new ConfigurationError('name must be a text that is not empty.');
  const persona: IPersonaDefinition = {
    id: name,
    name,
    version: '1.0.0',
    baseSystemPrompt: config.instructions,
    ...(config.personality && { personalityTraits: config.personality }),
    ...sentimentOf(config.cognition),
  };
  const store = config.store ?? createMemoryStore({ clock: config.clock, random });
  const resolve = createResolver(typeof config.model === 'string' ? { defaultModelId: config.model } : { model: config.model });
  const sessions = new Map<string, GMI>();
  const asides = new Set<GMI>();
  let down = false;
  const build = (id: string, lanes = store): GMI => {
    if (down) throw new ShutDownError(`Agent "${name}"`);
    return new GMI({
      persona,
      model: resolve({}),
      resolveModel: resolve,
      store: lanes,
      scope: { persona: name, user: 'default_user', session: id },
      tools: config.tools,
      hooks: config.hooks,
      clock: config.clock,
      random,
    });
  };
  const gmi = (id: string): GMI => {
    const known = sessions.get(id) ?? build(id);
    sessions.set(id, known);
    return known;
  };
  // One answer that is not remembered: its lane is nobody else's and ends with it.
  const openAside = (): GMI => {
    const once = build(createId('once', random), createMemoryStore({ clock: config.clock, random }));
    asides.add(once);
    return once;
  };
  const closeAside = async (once: GMI): Promise<void> => {
    await once.shutdown();
    asides.delete(once);
  };
  const aside = async (ask: (once: GMI) => PromiseLike<TurnResult>): Promise<TurnResult> => {
    const once = openAside();
    try {
      return await ask(once);
    } finally {
      await closeAside(once);
    }
  };
  return {
    name,
    config,
    generate: (prompt, { signal } = {}) => aside((once) => once.processTurn({ content: prompt, signal })),
    stream: (prompt, { signal } = {}) =>
      replyStream(() => {
        const once = openAside();
        return endsWith(once.processTurn({ content: prompt, signal }), () => closeAside(once));
      }),
    session: (id) => ({
      id,
      send: async (text, { signal } = {}) => gmi(id).processTurn({ content: text, signal }),
      stream: (text, { signal } = {}) => replyStream(() => gmi(id).processTurn({ content: text, signal })),
    }),
    gmi,
    async shutdown() {
      down = true;
      await Promise.all([...sessions.values(), ...asides].map((each) => each.shutdown()));
    },
  };
}

async function* endsWith(run: Run, end: () => Promise<void>): AsyncGenerator<TurnEvent, void> {
  try {
    yield* run;
  } finally {
    await end();
  }
}
