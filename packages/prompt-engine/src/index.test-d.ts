import type { ChatMessage, ContextualPromptElement, TurnHook } from '@x/core';
import { expectTypeOf, test } from 'vitest';
import {
  PromptEngine,
  type PromptEngineResult,
  type PromptExecutionContext,
  prefixStability,
  promptHook,
  type RetrievedItem,
} from './index.js';

test('the public names have the shapes that are written down', () => {
  const engine = new PromptEngine();
  expectTypeOf(engine.constructPrompt).returns.resolves.toEqualTypeOf<PromptEngineResult>();
  expectTypeOf(engine.evaluateCriteria).returns.toEqualTypeOf<boolean>();
  expectTypeOf(engine.selectElements).returns.toEqualTypeOf<readonly ContextualPromptElement[]>();
  expectTypeOf<PromptEngineResult['prompt']>().toEqualTypeOf<readonly ChatMessage[] | string>();
  expectTypeOf(promptHook).returns.toEqualTypeOf<TurnHook>();
  expectTypeOf({ source: 'manual', content: 'x', relevance: 1, type: 'document' }).toExtend<RetrievedItem>();
  expectTypeOf<RetrievedItem>().toHaveProperty('type');
  expectTypeOf(prefixStability([], []).brokenAt).not.toBeAny();
  expectTypeOf<PromptExecutionContext>().toExtend<{ readonly currentMood?: string | undefined }>();
});

test('what is not known is a type error', () => {
  const engine = new PromptEngine();
  // @ts-expect-error an element has a type of the twelve
  engine.selectElements([{ type: 'other', content: 'x' }], {});
  // @ts-expect-error a scale has bounds
  engine.evaluateCriteria({ userSkillLevel: { from: 'novice' } }, {});
  // @ts-expect-error a model has a window
  void engine.constructPrompt({}, { modelId: 'm' });
});
