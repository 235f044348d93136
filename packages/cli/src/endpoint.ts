import { type IChatModel, openai } from '@x/agentos';
import { createOfflineModel, startModelServer } from '@x/testkit';

/** A model to talk to, and how it came about. */
export interface Endpoint {
  readonly model: IChatModel;
  readonly offline: boolean;
  /** One line for the head of the output. */
  readonly description: string;
  close(): Promise<void>;
}

/**
 * The endpoint named by `OPENAI_API_KEY` or `OPENAI_BASE_URL`, else the offline model behind a server on loopback. Both
 * are reached through the same client, over HTTP.
 */
export async function openEndpoint(environment: NodeJS.ProcessEnv): Promise<Endpoint> {
  const { apiKey, baseUrl, modelId } = endpointNames(environment);
  if (apiKey !== undefined || baseUrl !== undefined) {
    const model = openai({ model: modelId ?? 'gpt-4o-mini', baseUrl, apiKey: apiKey ?? 'none' });
    return {
      model,
      offline: false,
      description: `model ${model.modelId} at ${baseUrl ?? 'OpenAI'}`,
      close: async () => undefined,
    };
  }
  const server = await startModelServer({ script: createOfflineModel() });
  return {
    model: openai({ model: 'offline', baseUrl: server.baseUrl, apiKey: 'none' }),
    offline: true,
    description: `offline model (rules, no language model) on ${server.baseUrl}, reached by the real client over HTTP`,
    close: () => server.close(),
  };
}

/** What the environment says of the endpoint. A variable that is set to nothing, as files of settings leave it, says nothing. */
export function endpointNames(environment: NodeJS.ProcessEnv): {
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  readonly modelId: string | undefined;
} {
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  return { apiKey: read('OPENAI_API_KEY'), baseUrl: read('OPENAI_BASE_URL'), modelId: read('OPENAI_MODEL') };
}
