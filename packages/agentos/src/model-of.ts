import type { IChatModel } from '@x/core';
import { openai } from '@x/openai';
import { anthropic } from '@x/openai/anthropic';
import { checkModel } from './check-options.js';
import { ConfigurationError, ProviderUnknownError } from './errors.js';
import { createResolver, nameAt, providerOf } from './resolve-model.js';

/** Where a model is, in the words of the second seed. */
export interface Endpoint {
  /** Default: the provider's own. */
  readonly baseUrl?: string | undefined;
  /** How the endpoint is spoken to; default `openai`, or `anthropic` for a model named `claude…`. */
  readonly style?: 'openai' | 'anthropic' | undefined;
  readonly model?: string | IChatModel | undefined;
  /** Default: the key of the endpoint's own host, from the environment. */
  readonly apiKey?: string | undefined;
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Tries after the first; default 2. */
  readonly retries?: number | undefined;
}

/**
 * The model at an endpoint.
 *
 * @throws `configuration_invalid` for an unknown style; `api_key_missing`, `provider_unknown`.
 */
export function modelOf({ model, baseUrl, style, apiKey, headers, retries }: Endpoint): IChatModel {
  if (typeof model === 'object') return checkModel(model);
  const plain = baseUrl === undefined && style === undefined && apiKey === undefined && headers === undefined && retries === undefined;
  if (plain) return createResolver({ defaultModelId: model })({});
  if (model === undefined) throw new ConfigurationError('An endpoint needs the name of a model. Pass model.');
  if (style !== undefined && style !== 'openai' && style !== 'anthropic')
    throw new ConfigurationError(`There is no style "${String(style)}". Use openai or anthropic.`);
  // Other hosts name models as they like: `anthropic/claude…` at a router is asked as the router is.
  const way = style ?? (baseUrl === undefined ? providerOf(model) : model.startsWith('claude') ? 'anthropic' : 'openai');
  const endpoint = { model: baseUrl === undefined ? nameAt(way, model) : model, baseUrl, apiKey, headers, retries };
  if (way === 'anthropic') return anthropic(endpoint);
  const asked = openai({ ...endpoint, model });
  // So is a router that the environment names; only OpenAI itself is asked for its own names alone.
  if (baseUrl !== undefined || asked.providerId !== 'openai') return asked;
  if (way !== 'openai') throw new ProviderUnknownError(way, model);
  return openai(endpoint);
}
