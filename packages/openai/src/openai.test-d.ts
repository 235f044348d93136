import type { IChatModel } from '@x/core';
import { expectTypeOf, test } from 'vitest';
import { type AnthropicOptions, anthropic } from './anthropic/index.js';
import { type ModelOptions, openai, PROVIDER_ROWS, type ProviderRow } from './index.js';

test('a client is a model of core, and the global fetch may stand in', () => {
  expectTypeOf(openai).returns.toEqualTypeOf<IChatModel>();
  expectTypeOf(anthropic).returns.toEqualTypeOf<IChatModel>();
  openai({ model: 'm', fetch: (url, init) => globalThis.fetch(url, init) });
  openai({ model: 'm', fetch: globalThis.fetch });
});

test('options take undefined, and only what there is', () => {
  expectTypeOf<{ model: string; baseUrl: undefined; apiKey: undefined; headers: undefined; retries: undefined }>().toExtend<ModelOptions>();
  // @ts-expect-error a model is named
  openai({});
  // @ts-expect-error capabilities are a closed set
  openai({ model: 'm', capabilities: { lateNote: 'footnote' } });
  expectTypeOf<AnthropicOptions>().not.toHaveProperty('wire');
  expectTypeOf(PROVIDER_ROWS).toEqualTypeOf<readonly ProviderRow[]>();
});
