import { createId, type IChatModel } from '@x/core';
import { type AnswerBody, askEndpoint } from './ask-endpoint.js';
import { borrowing } from './borrowing.js';
import { adjustedRow, checkModel, fetchWithHeaders, type ModelOptions, patienceOf } from './client-options.js';
import { isRefusedRequest, wordsOf } from './failure-of.js';
import { loadLibrary } from './load-library.js';
import { hasMedia, isAsLongAs, LIBRARY_TIMEOUT_MS } from './measure-request.js';
import { withPlainForm } from './plain-schema.js';
import { createOpenAIReader } from './read-openai-answer.js';
import { createReasoningMemory, type KeptThinking } from './remember-reasoning.js';
import { type Home, resolveEndpoint } from './resolve-endpoint.js';
import { type Optional, refusedField, toOpenAIBody } from './to-openai-body.js';
import { createSchemaCache } from './tool-schema.js';

const HOME: Home = { url: 'https://api.openai.com/v1', keyName: 'OPENAI_API_KEY', urlName: 'OPENAI_BASE_URL' };

/**
 * Makes a model behind any endpoint that speaks OpenAI's Chat Completions. The `openai` package is loaded at the first
 * request.
 *
 * @throws `api_key_missing` no key may go to this host; `invalid_argument`.
 * `stream` throws: `rate_limited`, `quota_exhausted`, `auth_failed`, `model_not_found`, `model_request_invalid`,
 * `context_too_long`, `model_unavailable`, `model_timeout`, `model_stream_cut`, `model_reply_malformed`,
 * `tool_schema_invalid`, `dependency_missing`, `client_failed`, or `signal.reason`.
 * @example
 * const model = openai({ model: 'gpt-4o-mini' }); // OPENAI_API_KEY
 * const local = openai({ model: 'llama3.2', baseUrl: 'http://127.0.0.1:11434/v1' });
 */
export function openai(options: ModelOptions): IChatModel {
  const model = checkModel(options.model);
  const endpoint = resolveEndpoint(options, HOME);
  const row = adjustedRow(endpoint.row, options);
  const patience = patienceOf(options);
  const where = `${row.id}/${model}`;
  const schemaOf = createSchemaCache();
  const eitherForm = withPlainForm(schemaOf);
  const memory = createReasoningMemory<KeptThinking>();
  const refused = new Set<Optional>();
  const authorization = endpoint.apiKey === undefined ? {} : { authorization: `Bearer ${endpoint.apiKey}` };
  const fetch = fetchWithHeaders({ ...authorization, ...options.headers }, options.fetch);

  const connect = async () => {
    const { OpenAI } = await loadLibrary('openai', () => import('openai'));
    return new OpenAI({
      baseURL: endpoint.baseUrl,
      defaultQuery: endpoint.query,
      // The library insists on a key; the headers that are sent are ours.
      apiKey: endpoint.apiKey ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      maxRetries: 0,
      logLevel: 'off',
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
          toOpenAIBody(request, { model, row, refused, schemaOf: eitherForm, thinkingOf: memory.get, extraBody: options.extraBody });
        let body = build();
        return {
          ...patience,
          where,
          prepare: async () => {
            client ??= await connect();
          },
          send: async (attempt) => {
            client ??= await connect();
            return (await client.chat.completions
              .create(body as never, { signal: attempt, timeout: LIBRARY_TIMEOUT_MS })
              .asResponse()) as AnswerBody;
          },
          createReader: () =>
            createOpenAIReader({
              where,
              wire: row.wire,
              bounds: {
                isAsLongAs: (bytes) => isAsLongAs(body, bytes),
                hasMedia: () => hasMedia(request.messages),
                contextWindow: row.capabilities.contextWindow,
              },
              createId: () => createId('call', patience.random),
              needsArguments: (tool) => needs.has(tool),
              known: new Set(request.tools.map((tool) => tool.name)),
              remember: memory.set,
            }),
          adapt: (error) => {
            const field = isRefusedRequest(error) ? refusedField(wordsOf(error), body) : undefined;
            if (field === undefined || refused.has(field)) return false;
            refused.add(field);
            body = build();
            return true;
          },
        };
      }, signal),
  });
}
