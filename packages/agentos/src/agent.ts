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
import { ConfigurationError, ReplyAbandonedError, ShutDownError } from './errors.js';
import { GMI } from './gmi.js';
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

/** A reply as it is written. */
export interface ReplyStream {
  /** The words, as they come; reading it runs the turn. */
  readonly textStream: AsyncIterable<string>;
  /** The whole result, once `textStream` was read to its end. @throws `reply_abandoned` when it was left early. */
  readonly result: Promise<TurnResult>;
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
  const { name = 'agent', random } = config;
  const persona: IPersonaDefinition = {
    id: name,
    name,
    version: '1.0.0',
    baseSystemPrompt: config.instructions,
    ...(config.personality && { personalityTraits: config.personality }),
    ...sentimentOf(config.cognition),
  };
  const store = config.store ?? createMemoryStore({ clock: config.clock, random });
  const resolve = createResolver(typeof config.model === 'object' ? { model: config.model } : { defaultModelId: config.model });
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

/** Turns a run into its words and its result. */
function replyStream(start: () => AsyncIterable<TurnEvent>): ReplyStream {
  let settle: { done(result: TurnResult): void; fail(error: unknown): void } | undefined;
  const result = new Promise<TurnResult>((done, fail) => {
    settle = { done, fail };
  });
  // A reader of textStream alone sees the failure there; this one must not end the process.
  result.catch(() => undefined);
  async function* words(): AsyncGenerator<string, void> {
    try {
      for await (const event of start()) {
        if (event.type === 'text-delta') yield event.text;
        else if (event.type === 'turn-end') settle?.done(event.result);
      }
    } catch (error) {
      settle?.fail(error);
      throw error;
    } finally {
      settle?.fail(new ReplyAbandonedError()); // says nothing where there is a result or a failure
    }
  }
  return { textStream: words(), result };
}

async function* endsWith(run: Run, end: () => Promise<void>): AsyncGenerator<TurnEvent, void> {
  try {
    yield* run;
  } finally {
    await end();
  }
}
