import type { IPersonaDefinition } from '@x/core';
import { validatePersona } from '@x/core/schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { promptHook } from './index.js';

const persona = { id: 'p', name: 'P', description: 'd', version: '1.0.0', baseSystemPrompt: 'You are P.' };
const element = { type: 'behavioral_guidance', content: 'Be kind.' };
const withCriteria = (criteria: unknown) => ({ contextualPromptElements: [{ ...element, criteria }] });
const withText = (text: object) => withCriteria({ text: { keys: ['x'], ...text } });

/** The code of what `promptHook` throws for a persona; `undefined` when it takes it. */
function refusalOf(change: object): string | undefined {
  try {
    promptHook({ persona: { ...persona, ...change } as IPersonaDefinition });
    return undefined;
  } catch (error) {
    return (error as { readonly code?: string }).code ?? String(error);
  }
}

test.each<[string, object, string]>([
  ['a scan of nothing', withText({ scanDepth: 0 }), 'criteria_invalid'],
  ['a pattern that can take very long', withText({ keys: ['/(a+)+b/'] }), 'pattern_unsafe'],
  ['a pattern that is none', withText({ keys: ['x', '/(/'] }), 'pattern_unsafe'],
  ['such a pattern among the second keys', withText({ secondaryKeys: ['/(/'] }), 'pattern_unsafe'],
  ['stickiness inside not', withCriteria({ not: { text: { keys: ['x'], sticky: 1 } } }), 'criteria_invalid'],
  ['no branches', withCriteria({ anyOf: [] }), 'criteria_invalid'],
  ['no keys', withText({ keys: [] }), 'criteria_invalid'],
  ['a blank key', withText({ keys: ['x', ' '] }), 'criteria_invalid'],
  ['no mood', withCriteria({ mood: [] }), 'criteria_invalid'],
  ['a blank hint', withCriteria({ taskHint: '' }), 'criteria_invalid'],
  ['a bound that is not on the scale', withCriteria({ userSkillLevel: { atLeast: 'guru' } }), 'criteria_invalid'],
  ['bounds the wrong way round', withCriteria({ userSkillLevel: { atLeast: 'expert', atMost: 'novice' } }), 'criteria_invalid'],
  ['an unknown trait', withCriteria({ traits: { charisma: { min: 0.5 } } }), 'criteria_invalid'],
  ['a range the wrong way round', withCriteria({ turn: { min: 3, max: 2 } }), 'criteria_invalid'],
  ['an unknown field of an element', { contextualPromptElements: [{ ...element, position: 3 }] }, 'element_invalid'],
  ['a blank id', { contextualPromptElements: [{ ...element, id: ' ' }] }, 'element_invalid'],
  ['a group with a name of a prototype', { contextualPromptElements: [{ ...element, group: '__proto__' }] }, 'element_invalid'],
  ['a template whose variable has no value', { baseSystemPrompt: { template: 'You are {{ name }}.' } }, 'template_invalid'],
])('%s is an error to both, under one code', (_title, change, code) => {
  const { status, issues } = validatePersona({ ...persona, ...change });
  expect([refusalOf(change), status, issues.filter(({ severity }) => severity === 'error').map((issue) => issue.code)]).toEqual([
    code,
    'invalid',
    [code],
  ]);
});

test.each<[string, object, string]>([
  ['a mood that is none', withCriteria({ mood: 'patient' }), 'element_never_matches'],
  ['a score that no text has', withCriteria({ sentimentScore: { min: 2 } }), 'element_never_matches'],
  ['a chance of 0', withText({ probability: 0 }), 'element_never_matches'],
  ['a skill that is none', withCriteria({ userSkillLevel: ['guru'] }), 'element_never_matches'],
])('%s is a warning, and the hook takes it', (_title, change, code) => {
  const { status, issues } = validatePersona({ ...persona, ...change });
  expect([refusalOf(change), status]).toEqual([undefined, 'degraded']);
  expect(issues.map((issue) => issue.code)).toContain(code);
});

test('a predicate is an error only where the names are known', () => {
  const { contextualPromptElements } = withCriteria({ predicate: 'isNight' });
  const asks = { ...persona, contextualPromptElements, costSavingStrategy: 'balance_quality_cost' };
  expect(validatePersona(asks).status).toBe('valid');
  expect(validatePersona(asks, { knownPredicates: ['isNight'] }).status).toBe('valid');
  expect(validatePersona(asks, { knownPredicates: [] }).issues.map(({ code }) => code)).toEqual(['criteria_invalid']);
  const read = { persona: asks as unknown as IPersonaDefinition, predicates: { isNight: () => true } };
  expect(() => promptHook(read)).not.toThrow();
});

const odd = fc.oneof(
  fc.anything(),
  fc.constantFrom<unknown>([], {}, '', 'x', '/(/', '/a/', 0, 1, -1, Number.NaN, null, undefined, [undefined]),
);
const range = fc.oneof(
  fc.dictionary(fc.constantFrom('min', 'max'), fc.oneof(odd, fc.double())),
  fc.dictionary(fc.constantFrom('atLeast', 'atMost'), fc.oneof(odd, fc.constantFrom('novice', 'expert', 'simple'))),
  odd,
);
const text = fc.dictionary(
  fc.constantFrom('keys', 'secondaryKeys', 'scanDepth', 'sticky', 'probability', 'wholeWord'),
  fc.oneof(odd, fc.array(odd)),
);
const names = ['mood', 'userSkillLevel', 'taskHint', 'language', 'conversationSignals', 'sentimentScore', 'turn', 'traits', 'not', 'anyOf'];
const criteria = fc.oneof(fc.dictionary(fc.constantFrom(...names), fc.oneof(range, odd)), fc.record({ text }), odd);
const anyElement = fc.oneof(
  fc.record(
    { type: fc.constantFrom('behavioral_guidance', 'x'), content: fc.oneof(odd, fc.constant('c')), criteria },
    { requiredKeys: [] },
  ),
  fc.record(
    { type: fc.constant('domain_context'), content: fc.constant('c'), criteria, id: odd, group: odd, priority: odd },
    { requiredKeys: ['type', 'content'] },
  ),
  odd,
);
const base = fc.oneof(
  { arbitrary: fc.constant('You are P.'), weight: 6 },
  odd,
  fc.record({ template: fc.constantFrom('{{a}}', 'a', ''), variables: fc.oneof(odd, fc.constant({ a: 'x' })) }),
  fc.array(fc.record({ content: odd, priority: odd })),
);

test('whatever the persona, the hook throws only for one that validation calls invalid', () => {
  let taken = 0;
  fc.assert(
    fc.property(
      fc.oneof({ arbitrary: fc.array(anyElement, { maxLength: 2 }), weight: 6 }, odd),
      base,
      fc.oneof({ arbitrary: fc.constant(undefined), weight: 4 }, odd),
      (contextualPromptElements, baseSystemPrompt, hardLimits) => {
        const change = { contextualPromptElements, baseSystemPrompt, hardLimits };
        if (validatePersona({ ...persona, ...change }).status === 'invalid') return;
        taken += 1;
        expect(refusalOf(change)).toBeUndefined();
      },
    ),
    { numRuns: 300 },
  );
  expect(taken).toBeGreaterThan(5);
}, 30_000);
