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
  if (environment['OPENAI_API_KEY'] || environment['OPENAI_BASE_URL']) {
    const model = openai({
      model: environment['OPENAI_MODEL'] ?? 'gpt-4o-mini',
      baseUrl: environment['OPENAI_BASE_URL'],
      apiKey: environment['OPENAI_API_KEY'] ?? 'none',
    });
    return {
      model,
      offline: false,
      description: `model ${model.modelId} at ${environment['OPENAI_BASE_URL'] ?? 'OpenAI'}`,
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
