import type { IUtilityAI, TurnHook } from '@x/core';
import { expectTypeOf, test } from 'vitest';
import { detectAffect, type HybridUtilityAI, type LLMUtilityAI, type StatisticalUtilityAI, sentimentHook } from './index.js';

test('the three classes are utilities, the hook is a hook', () => {
  expectTypeOf<StatisticalUtilityAI>().toExtend<IUtilityAI>();
  expectTypeOf<LLMUtilityAI>().toExtend<IUtilityAI>();
  expectTypeOf<HybridUtilityAI>().toExtend<IUtilityAI>();
  expectTypeOf(sentimentHook()).toEqualTypeOf<TurnHook>();
  expectTypeOf(detectAffect('').score).toEqualTypeOf<number | null>();
});
