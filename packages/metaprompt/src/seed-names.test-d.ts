import { expectTypeOf, test } from 'vitest';
import type { MetapromptExecutorConfig, MetapromptExecutorOptions } from './index.js';

test('the options of the executor are known under the name of the seed, too', () => {
  expectTypeOf<MetapromptExecutorConfig>().toEqualTypeOf<MetapromptExecutorOptions>();
});
