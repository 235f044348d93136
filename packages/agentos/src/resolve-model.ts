import type { IChatModel, ResolveModel } from '@x/core';
import { openai } from '@x/openai';
import { anthropic } from '@x/openai/anthropic';
import { checkModel } from './check-options.js';
import { ConfigurationError, ProviderUnknownError } from './errors.js';

export const DEFAULT_MODEL_ID = 'gpt-4o-mini';

export interface ResolverOptions {
  /** Used for whatever names no model of its own. */
  readonly model?: IChatModel | undefined;
  /** Asked first for every name. */
  readonly resolveModel?: ResolveModel | undefined;
  /** Default `gpt-4o-mini`. */
  readonly defaultModelId?: string | undefined;
}

/**
 * Turns names of models into models: the host's resolver if there is one, else the host's model for everything that it
 * can stand for, else the built-in clients, with the key from the environment. Each name is resolved once.
 */
export function createResolver({ model, resolveModel, defaultModelId = DEFAULT_MODEL_ID }: ResolverOptions): ResolveModel {
  if (model !== undefined) checkModel(model);
  if (typeof defaultModelId !== 'string') throw new ConfigurationError('A model is named by a text.');
  const known = new Map<string, IChatModel>();
  return ({ providerId, modelId }) => {
    if (resolveModel) return resolveModel({ providerId, modelId });
    if (model) return model;
    const id = modelId ?? defaultModelId;
    const provider = providerId ?? providerOf(id);
    const key = `${provider}/${id}`;
    const made = known.get(key) ?? client(provider, id);
    known.set(key, made);
    return made;
  };
}

/** The provider that a model's name speaks for: `claude…` is Anthropic's, everything else is asked at OpenAI. */
export function providerOf(modelId: string): string {
  if (modelId.includes('/')) return modelId.slice(0, modelId.indexOf('/'));
  return modelId.startsWith('claude') ? 'anthropic' : 'openai';
}

/** The name that a provider's own endpoint knows: without the provider in front. */
export function nameAt(provider: string, modelId: string): string {
  return modelId.startsWith(`${provider}/`) ? modelId.slice(provider.length + 1) : modelId;
}

function client(provider: string, id: string): IChatModel {
  const model = nameAt(provider, id);
  if (provider === 'openai') return openai({ model });
  if (provider === 'anthropic') return anthropic({ model });
  throw new ProviderUnknownError(provider, id);
}
