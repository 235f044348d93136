import { afterEach, expect, test, vi } from 'vitest';
import { type Endpoint, modelOf } from './model-of.js';

afterEach(() => void vi.unstubAllEnvs());

test.each<[string, Endpoint, string, string]>([
  ['a model of Anthropic at a router', { model: 'anthropic/claude-x', baseUrl: 'https://router.test/v1' }, 'unknown', 'anthropic/claude-x'],
  ['a model of OpenAI at a router', { model: 'openai/gpt-x', baseUrl: 'https://router.test/v1' }, 'unknown', 'openai/gpt-x'],
  ['claude at another address', { model: 'claude-x', baseUrl: 'https://proxy.test' }, 'anthropic', 'claude-x'],
  ['a style that is given', { model: 'claude-x', baseUrl: 'https://router.test/v1', style: 'openai' }, 'unknown', 'claude-x'],
  ['its provider in front, at the provider’s own address', { model: 'anthropic/claude-x' }, 'anthropic', 'claude-x'],
  ['the same for OpenAI', { model: 'openai/gpt-x' }, 'openai', 'gpt-x'],
])('%s', (_title, endpoint, provider, name) => {
  const model = modelOf({ apiKey: 'k', ...endpoint });
  expect([model.providerId, model.modelId]).toEqual([provider, name]);
});

test.each(['openai/gpt-x', 'llama-lab/llama-x'])('a router that the environment names is asked for %s by that name', (model) => {
  vi.stubEnv('OPENAI_BASE_URL', 'https://router.test/v1');
  const { providerId, modelId } = modelOf({ model, apiKey: 'k' });
  expect([providerId, modelId]).toEqual(['unknown', model]);
});

test('a provider that is not built in needs an address', () => {
  expect(() => modelOf({ model: 'groq/llama', apiKey: 'k' })).toThrow(expect.objectContaining({ code: 'provider_unknown' }));
  expect(() => modelOf({ model: 'llama', baseUrl: 'https://x.test', apiKey: 'k', style: 'gemini' as never })).toThrow(
    expect.objectContaining({ code: 'configuration_invalid' }),
  );
});
