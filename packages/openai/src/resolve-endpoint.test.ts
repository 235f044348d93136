import { afterEach, expect, test, vi } from 'vitest';
import { findProviderRow, isLoopback, PROVIDER_ROWS } from './provider-rows.js';
import { type EndpointOptions, type Home, resolveEndpoint } from './resolve-endpoint.js';

const OPENAI: Home = { url: 'https://api.openai.com/v1', keyName: 'OPENAI_API_KEY', urlName: 'OPENAI_BASE_URL' };
afterEach(() => vi.unstubAllEnvs());

const KEYS = [
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'OPENROUTER_API_KEY',
  'ANTHROPIC_API_KEY',
  'DEEPSEEK_API_KEY',
  'GEMINI_API_KEY',
  'MISTRAL_API_KEY',
  'OLLAMA_API_KEY',
];
function resolve(environment: { readonly [name: string]: string }, options: EndpointOptions = {}) {
  for (const name of KEYS) vi.stubEnv(name, environment[name] ?? '');
  const { baseUrl, apiKey, row } = resolveEndpoint(options, OPENAI);
  return [baseUrl, apiKey, row.id];
}
const missing = expect.objectContaining({ code: 'api_key_missing', retryable: false });

test('a key of the environment goes to its own host, to the base URL of the environment, and to the own machine', () => {
  const environment = { OPENAI_API_KEY: 'sk-own' };
  expect(resolve(environment)).toEqual(['https://api.openai.com/v1', 'sk-own', 'openai']);
  expect(resolve({ ...environment, OPENAI_BASE_URL: 'https://proxy.example/v1/' })).toEqual([
    'https://proxy.example/v1',
    'sk-own',
    'unknown',
  ]);
  expect(resolve({ ...environment, OPENAI_BASE_URL: 'https://proxy.example/v1' }, { baseUrl: 'https://proxy.example/other' })[1]).toBe(
    'sk-own',
  );
  expect(resolve(environment, { baseUrl: 'http://127.0.0.1:8000/v1' })).toEqual(['http://127.0.0.1:8000/v1', 'sk-own', 'vllm']);
});

test.each([
  'https://evil.example/v1',
  'https://api.openai.com.evil.example/v1',
  'https://api.openai.com@evil.example/v1',
  'http://api.openai.com/v1',
  'https://api.openai.com:8443/v1',
  'https://127.0.0.1.evil.example/v1',
])('it goes nowhere else: %s', (baseUrl) => {
  expect(() => resolve({ OPENAI_API_KEY: 'sk-own' }, { baseUrl })).toThrow(missing);
});

test('each provider has its own key, and gets no other', () => {
  const environment = { OPENAI_API_KEY: 'sk-own', OPENROUTER_API_KEY: 'or-own', DEEPSEEK_API_KEY: 'ds-own' };
  expect(resolve(environment, { baseUrl: 'https://openrouter.ai/api/v1' })).toEqual([
    'https://openrouter.ai/api/v1',
    'or-own',
    'openrouter',
  ]);
  expect(resolve(environment, { baseUrl: 'https://api.deepseek.com' })).toEqual(['https://api.deepseek.com', 'ds-own', 'deepseek']);
  expect(() => resolve(environment, { baseUrl: 'https://api.mistral.ai/v1' })).toThrow(missing);
  expect(() => resolve(environment, { baseUrl: 'http://openrouter.ai/api/v1' })).toThrow(missing);
});

test('a key that is given goes where it is told to; an empty one means none', () => {
  expect(resolve({ OPENAI_API_KEY: 'sk-own' }, { baseUrl: 'https://any.example/v1', apiKey: 'given' })).toEqual([
    'https://any.example/v1',
    'given',
    'unknown',
  ]);
  expect(resolve({ OPENAI_API_KEY: 'sk-own' }, { apiKey: '' })[1]).toBeUndefined();
});

test('the own machine needs no key; the provider’s own host does', () => {
  expect(resolve({}, { baseUrl: 'http://localhost:11434/v1' })).toEqual(['http://localhost:11434/v1', undefined, 'ollama']);
  expect(() => resolve({})).toThrow(
    expect.objectContaining({ code: 'api_key_missing', message: expect.stringContaining('OPENAI_API_KEY'), host: 'api.openai.com' }),
  );
});

test('the address of a call stands for the base that it is below', () => {
  for (const [given, base] of [
    ['https://any.example/v1/chat/completions', 'https://any.example/v1'],
    ['https://any.example/v1/chat/completions/?api-version=1', 'https://any.example/v1'],
    ['https://any.example/v1/messages', 'https://any.example/v1'],
    ['https://any.example/chat', 'https://any.example/chat'],
  ])
    expect(resolve({}, { baseUrl: given, apiKey: 'k' })[0]).toBe(base);
});

test('a base URL that is none, and a row that is none, are refused without being repeated', () => {
  expect(() => resolve({}, { baseUrl: 'sk-secret' })).toThrow(
    expect.objectContaining({ code: 'invalid_argument', message: expect.not.stringContaining('sk-secret') }),
  );
  expect(() => resolve({}, { baseUrl: 'file:///etc' })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  expect(() => resolve({}, { apiKey: 'k', provider: 'nobody' })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});

test('rows are found by host, by names below it, and by port on the own machine', () => {
  const id = (url: string): string => findProviderRow(url).id;
  expect(id('https://eu.api.openai.com/v1')).toBe('openai');
  expect(id('https://generativelanguage.googleapis.com/v1beta/openai')).toBe('gemini');
  expect(id('http://[::1]:8080/v1')).toBe('llama.cpp');
  expect(id('http://127.0.0.1:39001/v1')).toBe('unknown');
  expect(id('https://vllm.example:8000/v1')).toBe('unknown');
  expect(PROVIDER_ROWS.map((row) => row.id)).toEqual([
    'openai',
    'anthropic',
    'gemini',
    'openrouter',
    'deepseek',
    'mistral',
    'ollama',
    'vllm',
    'llama.cpp',
    'unknown',
  ]);
  expect(PROVIDER_ROWS.at(-1)?.capabilities).toEqual({ lateNote: 'fenced-user', mergeUserRuns: true, structuredOutput: false });
});

test('the own machine is told by its names and addresses only', () => {
  expect(['localhost', 'a.localhost', '127.0.0.1', '127.8.9.1', '[::1]'].every(isLoopback)).toBe(true);
  expect(['localhost.example', '127.0.0.1.example', '10.0.0.1', 'mylocalhost', '0.0.0.0'].some(isLoopback)).toBe(false);
});

test('a key is sent as it was meant, or refused before it is sent', () => {
  const baseUrl = 'https://proxy.example/v1';
  for (const apiKey of ['sk-abc\n', '  sk-abc\r\n']) expect(resolve({}, { baseUrl, apiKey })[1]).toBe('sk-abc');
  expect(resolve({}, { baseUrl, apiKey: ' ' })[1]).toBeUndefined();
  for (const apiKey of ['sk-a…c', '“sk-abc”', 'sk-a\nbc', 'sk-abc\u200b']) {
    const message = expect.not.stringContaining('sk-') as unknown as string;
    expect(() => resolve({}, { baseUrl, apiKey })).toThrow(expect.objectContaining({ code: 'invalid_argument', message }));
  }
});

test('a base URL keeps its query for each request, loses its blanks, and holds no password', () => {
  const apiKey = 'k';
  const baseUrl = ' https://name.openai.azure.com/openai/deployments/chat/?api-version=2024-10-21#part ';
  vi.stubEnv('OPENAI_BASE_URL', '');
  expect(resolveEndpoint({ baseUrl, apiKey }, OPENAI)).toMatchObject({
    baseUrl: 'https://name.openai.azure.com/openai/deployments/chat',
    query: { 'api-version': '2024-10-21' },
  });
  for (const url of ['https://user:secret@proxy.example/v1', 'https://user@proxy.example/v1']) {
    expect(() => resolve({}, { baseUrl: url, apiKey })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  }
});
