import type { IPersonaDefinition, MetaPromptDefinition, TurnHook } from '@x/core';
import { expectTypeOf, test } from 'vitest';
import {
  METAPROMPT_PRESETS,
  type MetapromptExecutor,
  mergeMetapromptPresets,
  metapromptHook,
  normalizePersonaDefinition,
} from './index.js';

test('a merge takes a persona or the bare lists of the original, and gives definitions', () => {
  expectTypeOf(mergeMetapromptPresets({} as IPersonaDefinition)).toEqualTypeOf<readonly MetaPromptDefinition[]>();
  expectTypeOf(mergeMetapromptPresets()).toEqualTypeOf<readonly MetaPromptDefinition[]>();
  expectTypeOf(mergeMetapromptPresets([], ['gmi_error_recovery'])).toEqualTypeOf<readonly MetaPromptDefinition[]>();
  // @ts-expect-error ids belong to the bare list
  mergeMetapromptPresets({} as IPersonaDefinition, ['gmi_error_recovery']);
});

test('normalising keeps the type of the persona', () => {
  expectTypeOf(normalizePersonaDefinition({} as IPersonaDefinition & { readonly extra: 1 })).toHaveProperty('extra');
});

test('the hook is a hook of the turn and needs a persona', () => {
  expectTypeOf(metapromptHook({ persona: {} as IPersonaDefinition })).toEqualTypeOf<TurnHook>();
  // @ts-expect-error no persona
  metapromptHook({});
});

test('presets are read-only', () => {
  expectTypeOf(METAPROMPT_PRESETS).toEqualTypeOf<readonly MetaPromptDefinition[]>();
});

test('the executor answers with promises of what the seed promises', () => {
  expectTypeOf<MetapromptExecutor['drain']>().returns.resolves.toEqualTypeOf<boolean>();
  expectTypeOf<MetapromptExecutor['checkAndTriggerMetaprompts']>().parameter(0).toEqualTypeOf<string>();
});
