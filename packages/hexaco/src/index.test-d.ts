import type { ITool, TurnHook } from '@x/core';
import { expectTypeOf, test } from 'vitest';
import {
  type AdaptPersonalityArguments,
  type AdaptPersonalityTool,
  createAdaptPersonalityTool,
  describeTraits,
  driftHook,
  hexacoHook,
  parseTraits,
  type Traits,
} from './index.js';

test('the tool is a tool, made by class or by function', () => {
  expectTypeOf(createAdaptPersonalityTool()).toEqualTypeOf<AdaptPersonalityTool>();
  expectTypeOf<AdaptPersonalityTool>().toExtend<ITool<AdaptPersonalityArguments>>();
});

test('hooks are hooks of the turn', () => {
  expectTypeOf(hexacoHook({ persona: {} })).toEqualTypeOf<TurnHook>();
  expectTypeOf(driftHook({ persona: {} })).toExtend<TurnHook>();
  // @ts-expect-error no persona
  hexacoHook({});
});

test('parsed traits are six numbers', () => {
  expectTypeOf(parseTraits({})).toEqualTypeOf<Traits>();
  expectTypeOf<Traits['openness']>().toEqualTypeOf<number>();
  expectTypeOf(describeTraits({})).toEqualTypeOf<string>();
  // @ts-expect-error there is no such trait
  parseTraits({}).charisma;
});
