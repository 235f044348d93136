import { estimateToolTokens, type ToolSpec } from '@x/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkOne } from '../proof/lib/check.mjs';
import { DIALECTS } from '../proof/lib/histories.mjs';
import { charsOverFour, compactor, estimateTokens } from './index.js';

const api = {
  compactor,
  charsOverFour,
  estimateTokens,
  estimateTools: (tools: readonly ToolSpec[]) => tools.reduce((sum, tool) => sum + estimateToolTokens(tool), 0),
};

test.each(DIALECTS)('%s: no orphan, no duplicate, newest request kept, within budget or a reason', async (dialect) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 }), async (seed) => {
      expect((await checkOne(api, seed, dialect)).faults).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
