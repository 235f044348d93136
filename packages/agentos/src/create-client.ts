import type { IChatModel } from '@x/core';
import { type Client, createClient as createRuntimeClient, type ClientOptions as RuntimeClientOptions } from '@x/runtime';
import { type Endpoint, modelOf } from './model-of.js';

export interface ClientOptions extends Omit<RuntimeClientOptions, 'model'>, Omit<Endpoint, 'model'> {
  /** A model, or its name at the endpoint that `baseUrl` and `style` describe. */
  readonly model: IChatModel | string;
}

/** As the client of `@x/runtime`, which also takes a model's name and address. @throws what {@link modelOf} throws. */
export function createClient({ model, baseUrl, style, apiKey, headers, retries, ...options }: ClientOptions): Client {
  return createRuntimeClient({ ...options, model: modelOf({ model, baseUrl, style, apiKey, headers, retries }) });
}
