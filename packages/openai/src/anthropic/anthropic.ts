import { createId, type IChatModel } from '@x/core';
import { type AnswerBody, askEndpoint } from '../ask-endpoint.js';
import { borrowing } from '../borrowing.js';
import { adjustedRow, checkModel, fetchWithHeaders, type ModelOptions, patienceOf } from '../client-options.js';
import { isRefusedRequest, wordsOf } from '../failure-of.js';
import { loadLibrary } from '../load-library.js';
import { hasMedia, isAsLongAs, LIBRARY_TIMEOUT_MS } from '../measure-request.js';
import { providerRow } from '../provider-rows.js';
import { createReasoningMemory } from '../remember-reasoning.js';
import { type Home, resolveEndpoint } from '../resolve-endpoint.js';
import { wantsTools } from '../to-openai-body.js';
import { createSchemaCache } from '../tool-schema.js';
import { createAnthropicReader } from './read-anthropic-answer.js';
import { type Block, type Refusable, toAnthropicBody } from './to-anthropic-body.js';

const HOME: Home = { url: 'https://api.anthropic.com', keyName: 'ANTHROPIC_API_KEY', urlName: 'ANTHROPIC_BASE_URL' };
export interface AnthropicOptions extends Omit<ModelOptions, 'wire' | 'provider'> {
  /** Used where a request names no limit, since the API demands one. Default 4,096. */
  readonly defaultMaxTokens?: number | undefined;
  /** Whether the endpoint is asked to keep the prompt in its cache. Default true. */
  readonly cache?: boolean | undefined;
}

/**
 * Makes a model behind Anthropic's Messages API. The `@anthropic-ai/sdk` package is loaded at the first request.
 *
 * @throws `api_key_missing` no key may go to this host; `invalid_argument`. `stream` throws the codes of `openai`.
 * @example
 * const model = anthropic({ model: 'claude-sonnet-5' }); // ANTHROPIC_API_KEY
 */
export function anthropic(options: AnthropicOptions): IChatModel {
  const model = checkModel(options.model);
  const endpoint = resolveEndpoint({ baseUrl: options.baseUrl, apiKey: options.apiKey }, HOME);
  // Whatever the host is, it speaks this API.
  const row = adjustedRow(providerRow('anthropic'), { capabilities: options.capabilities });
  const patience = patienceOf(options);
  const where = `${row.id}/${model}`;
  const schemaOf = createSchemaCache();
  const memory = createReasoningMemory<readonly Block[]>();
  const refused = new Set<Refusable>();
  const { cache = true, defaultMaxTokens = 4096, extraBody } = options;
  const key = endpoint.apiKey === undefined ? {} : { 'x-api-key': endpoint.apiKey };
  const fetch = fetchWithHeaders({ ...key, ...options.headers }, options.fetch, ['anthropic-version']);

  const connect = async () => {
    const { Anthropic } = await loadLibrary('@anthropic-ai/sdk', () => import('@anthropic-ai/sdk'));
    return new Anthropic({
      // The library adds /v1 by itself.
      baseURL: endpoint.baseUrl.replace(/\/v1$/, ''),
      defaultQuery: endpoint.query,
      // The library insists on a key; the headers that are sent are ours.
      apiKey: endpoint.apiKey ?? 'none',
      webhookKey: null,
      maxRetries: 0,
      logLevel: 'off',
      openTelemetry: false,
      fetch,
      dangerouslyAllowBrowser: options.allowBrowser ?? false,
    });
  };
  let client: Awaited<ReturnType<typeof connect>> | undefined;

  return borrowing({
    modelId: model,
    providerId: row.id,
    capabilities: row.capabilities,
    stream: (request, { signal }) =>
      askEndpoint(() => {
        const needs = new Set(request.tools.filter((tool) => (schemaOf(tool).required?.length ?? 0) > 0).map((tool) => tool.name));
        const build = () =>
          toAnthropicBody(request, { model, schemaOf, thinkingOf: memory.get, cache, defaultMaxTokens, refused, extraBody });
        let body = build();
        return {
          ...patience,
          where,
          prepare: async () => {
            client ??= await connect();
          },
          send: async (attempt) => {
            client ??= await connect();
            return (await client
              .post('/v1/messages', { body, stream: true, signal: attempt, timeout: LIBRARY_TIMEOUT_MS })
              .asResponse()) as AnswerBody;
          },
          createReader: () =>
            createAnthropicReader({
              where,
              bounds: {
                isAsLongAs: (bytes) => isAsLongAs(body, bytes),
                hasMedia: () => hasMedia(request.messages),
                contextWindow: row.capabilities.contextWindow,
              },
              createId: () => createId('toolu', patience.random),
              needsArguments: (tool) => needs.has(tool),
              known: new Set(request.tools.map((tool) => tool.name)),
              remember: memory.set,
            }),
          adapt: (error) => {
            const words = isRefusedRequest(error) ? wordsOf(error) : '';
            const field = refusedIn(words, body);
            if (field === undefined || refused.has(field)) return false;
            refused.add(field);
            body = build();
            return true;
          },
        };
      }, signal),
  });
}

function refusedIn(words: string, sent: { readonly [field: string]: unknown }): Refusable | undefined {
  if (/cache_control/i.test(words)) return 'cache_control' in sent ? 'cache_control' : undefined;
  if (/\btemperature\b/i.test(words)) return 'temperature' in sent ? 'temperature' : undefined;
  return !('tools' in sent) && wantsTools(words) ? 'tools_wanted' : undefined;
}
