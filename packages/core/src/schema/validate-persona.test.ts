import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAgentosError } from '../errors.js';
import { parsePersona, validatePersona, validatePersonas } from './index.js';

const tutor = {
  id: 'tutor',
  name: 'Tutor',
  description: 'A patient programming tutor.',
  version: '1.0.0',
  baseSystemPrompt: 'You are a patient programming tutor.',
  costSavingStrategy: 'balance_quality_cost',
};
const element = { id: 'e', type: 'behavioral_guidance', content: 'Slow down.' };
const codes = (persona: unknown, options = {}): readonly string[] => validatePersona(persona, options).issues.map(({ code }) => code);

test('a plain persona is valid and has no issues', () => {
  expect(validatePersona(tutor)).toEqual({ status: 'valid', issues: [] });
});

test.each([
  ['missing_required_field', 'invalid', { name: '' }],
  ['invalid_semver', 'invalid', { version: 'abc' }],
  ['invalid_bcp47_language', 'invalid', { defaultLanguage: 'english' }],
  ['invalid_bcp47_language', 'invalid', { defaultLanguage: 'en_US' }],
  ['system_prompt_too_long', 'degraded', { baseSystemPrompt: 'x'.repeat(2001) }],
  ['duplicate_tool_id', 'invalid', { toolIds: ['a', 'a'] }],
  ['voice_config_without_audio_output', 'degraded', { voiceConfig: {}, allowedOutputModalities: ['text'] }],
  ['missing_cost_strategy', 'valid', { costSavingStrategy: undefined }],
  ['duplicate_allowed_model_ids', 'invalid', { modelTargetPreferences: [{ allowedModelIds: ['m', 'm'] }] }],
  ['over_specified_model_preference', 'degraded', { modelTargetPreferences: [{ modelFamily: 'f', modelId: 'm' }] }],
  ['duplicate_rag_datasource_ids', 'invalid', { memoryConfig: { ragConfig: { dataSources: [{ id: 'a' }, { id: 'a' }] } } }],
  [
    'rag_summarization_method_missing',
    'degraded',
    { memoryConfig: { ragConfig: { ingestionProcessing: { summarization: { enabled: true } } } } },
  ],
  ['invalid_field_type', 'invalid', { activationKeywords: {} }],
  ['invalid_field_type', 'invalid', { reasoningTraceConfig: 3 }],
  ['invalid_reasoning_trace_config', 'degraded', { reasoningTraceConfig: { maxEntries: 0 } }],
  ['invalid_reasoning_trace_config', 'degraded', { reasoningTraceConfig: { maxEntries: 50_000 } }],
  ['unsupported_metaprompt_trigger', 'degraded', { metaPrompts: [{ id: 'm', promptTemplate: 't', trigger: { type: 'pre_response' } }] }],
  [
    'invalid_metaprompt_interval',
    'degraded',
    { metaPrompts: [{ id: 'm', promptTemplate: 't', trigger: { type: 'turn_interval', intervalTurns: 0 } }] },
  ],
  [
    'invalid_metaprompt_interval',
    'degraded',
    { metaPrompts: [{ id: 'm', promptTemplate: 't', trigger: { type: 'turn_interval', intervalTurns: Number.NaN } }] },
  ],
  [
    'unknown_metaprompt_event',
    'degraded',
    { metaPrompts: [{ id: 'm', promptTemplate: 't', trigger: { type: 'event_based', eventName: 'USER_FRUSTRATED' } }] },
  ],
  ['metaprompt_without_trigger', 'degraded', { metaPrompts: [{ id: 'm', promptTemplate: 't' }] }],
  [
    'duplicate_metaprompt_id',
    'invalid',
    {
      metaPrompts: [
        { id: 'm', promptTemplate: 't', trigger: { type: 'manual' } },
        { id: 'm', promptTemplate: 't', trigger: { type: 'manual' } },
      ],
    },
  ],
  [
    'override_without_trigger',
    'degraded',
    { sentimentTracking: { presets: ['frustration_recovery'] }, metaPrompts: [{ id: 'gmi_frustration_recovery', promptTemplate: 't' }] },
  ],
  ['unknown_preset', 'invalid', { sentimentTracking: { presets: ['frustation_recovery'] } }],
  ['invalid_sentiment_setting', 'invalid', { sentimentTracking: { consecutiveTurnsForTrigger: 0 } }],
  ['unknown_mood', 'invalid', { moodAdaptation: { defaultMood: 'helpful_engaged' } }],
  ['trait_out_of_range', 'invalid', { personalityTraits: { openness: 1.5 } }],
  ['unknown_trait', 'degraded', { personalityTraits: { charisma: 0.5 } }],
  ['unknown_element_type', 'invalid', { contextualPromptElements: [{ ...element, type: 'BEHAVIORAL_GUIDANCE' }] }],
  ['empty_element', 'invalid', { contextualPromptElements: [{ ...element, content: '' }] }],
  ['duplicate_element_id', 'degraded', { contextualPromptElements: [element, element] }],
  ['unknown_criterion', 'invalid', { contextualPromptElements: [{ ...element, criteria: { moods: 'curious' } }] }],
  ['element_never_matches', 'degraded', { contextualPromptElements: [{ ...element, criteria: { mood: 'patient' } }] }],
  [
    'criteria_invalid',
    'invalid',
    { contextualPromptElements: [{ ...element, criteria: { userSkillLevel: { atLeast: 'expert', atMost: 'novice' } } }] },
  ],
  ['element_never_matches', 'degraded', { contextualPromptElements: [{ ...element, criteria: { sentimentScore: { min: 2 } } }] }],
  ['criteria_invalid', 'invalid', { contextualPromptElements: [{ ...element, criteria: { anyOf: [] } }] }],
  ['criteria_invalid', 'invalid', { contextualPromptElements: [{ ...element, criteria: { text: { keys: [] } } }] }],
  ['pattern_unsafe', 'invalid', { contextualPromptElements: [{ ...element, criteria: { text: { keys: ['/(a+)+b/'] } } }] }],
  ['element_invalid', 'invalid', { contextualPromptElements: [{ ...element, priority: 'high' }] }],
  ['template_invalid', 'invalid', { baseSystemPrompt: { template: '{{a}} {{a}} {{b}}', variables: { b: 'x' } } }],
  ['forbidden_field', 'invalid', { apiKey: 'x' }],
])('%s makes a persona %s', (code, status, change) => {
  const result = validatePersona({ ...tutor, ...change });
  expect([result.status, result.issues.map((issue) => issue.code)]).toEqual([status, [code]]);
});

test('a suggestion comes with an unknown name', () => {
  const [issue] = validatePersona({ ...tutor, sentimentTracking: { presets: ['frustation_recovery'] } }).issues;
  expect(issue).toEqual({
    code: 'unknown_preset',
    severity: 'error',
    path: 'sentimentTracking.presets[0]',
    message: 'There is no such preset. Did you mean "frustration_recovery"?',
  });
});

test('a wrong type under a name that only earns a warning is an error, so that what parses and what is valid agree', () => {
  const persona = { ...tutor, personalityTraits: { zeal: 'high' } };
  expect(validatePersona(persona).issues).toMatchObject([
    { code: 'unknown_trait', severity: 'warning' },
    { code: 'invalid_field_type', severity: 'error', path: 'personalityTraits.zeal' },
  ]);
  expect(() => parsePersona(persona)).toThrow('The persona has 1 error. personalityTraits.zeal:');
});

test('a field of a heartbeat that nobody reads makes the persona invalid, for hours that are misspelt would not hold', () => {
  for (const heartbeat of [
    { everyMs: 1_000, timezone: 'Asia/Shanghai' },
    { everyMs: 1_000, quietHours: { from: '23:00', to: '08:00' } },
    { everyMs: 1_000, activeHours: { from: '08:00', to: '23:00', timezone: 'Asia/Shanghai' } },
    { every: '30m' },
  ]) {
    const { status, issues } = validatePersona({ ...tutor, heartbeat });
    expect([status, issues.map(({ code, path }) => [code, path.split('.')[0]])]).toEqual([
      'invalid',
      [['invalid_field_type', 'heartbeat']],
    ]);
  }
});

test('a wrong type that no rule names is found by its path', () => {
  expect(
    validatePersona({ ...tutor, strengths: 'recursion', customFields: { f: () => 1 } }).issues.map(({ code, path }) => [code, path]),
  ).toEqual([
    ['invalid_field_type', 'strengths'],
    ['invalid_field_type', 'customFields.f'],
  ]);
});

describe('options', () => {
  const degraded = { ...tutor, metaPrompts: [{ id: 'm', promptTemplate: 't', trigger: { type: 'sometimes' } }] };
  test.each([
    [{}, 'degraded'],
    [{ treatWarningsAsErrors: true }, 'invalid'],
    [{ blockOnCodes: ['unsupported_metaprompt_trigger'] }, 'invalid'],
    [{ blockOnCodes: ['missing_cost_strategy'] }, 'degraded'],
  ])('%o gives %s', (options, status) => {
    expect(validatePersona(degraded, options).status).toBe(status);
  });
  test('block codes add to errors and never excuse them', () => {
    expect(validatePersona({ ...tutor, version: 'x' }, { blockOnCodes: ['voice_config_without_audio_output'] }).status).toBe('invalid');
  });
  test('known tools, reserved ids and token estimates', () => {
    expect(codes({ ...tutor, toolIds: ['serch'] }, { knownToolIds: ['search'] })).toEqual(['unknown_tool_id']);
    expect(codes(tutor, { reservedPersonaIds: ['tutor'] })).toEqual(['reserved_persona_id']);
    expect(codes(tutor, { maxSystemPromptTokens: 3, tokenEstimator: (text: string) => text.length })).toEqual([
      'system_prompt_too_many_tokens',
    ]);
    const broken = (): number => {
      throw new Error('no');
    };
    expect(codes(tutor, { maxSystemPromptTokens: 3, tokenEstimator: broken })).toEqual(['token_estimation_failed']);
  });
  test('strict names fields that nothing reads', () => {
    expect(codes({ ...tutor, avatarConfig: {} })).toEqual([]);
    expect(codes({ ...tutor, avatarConfig: {} }, { strict: true })).toEqual(['unknown_field']);
  });
});

test.each([[null], [undefined], [3], ['persona'], [[]]])('%o is invalid and does not throw', (persona) => {
  expect(validatePersona(persona).status).toBe('invalid');
});

// An object whose members keep it from being made a text.
const stubborn = { toString: 1, valueOf: 1 };

test.each<[string, object]>([
  ['an element type', { contextualPromptElements: [{ ...element, type: stubborn }] }],
  ['a trigger', { metaPrompts: [{ id: stubborn, promptTemplate: 't', trigger: { type: stubborn, eventName: stubborn } }] }],
  ['a preset', { sentimentTracking: { presets: [stubborn] } }],
  ['a mood', { moodAdaptation: { defaultMood: stubborn, allowedMoods: [stubborn] } }],
  ['a tool', { id: stubborn, toolIds: [stubborn] }],
])('%s that cannot be made a text is invalid and does not throw', (_title, change) => {
  expect(validatePersona({ ...tutor, ...change }, { knownToolIds: ['a'], reservedPersonaIds: ['b'] }).status).toBe('invalid');
});

test('a persona that holds itself, or throws when it is read, is invalid', () => {
  const criteria: { not?: object } = {};
  criteria.not = criteria;
  expect(validatePersona({ ...tutor, contextualPromptElements: [{ ...element, criteria }] }).status).toBe('invalid');
  const broken = Object.defineProperty({ ...tutor }, 'strengths', { get: () => JSON.parse('{'), enumerable: true });
  expect(validatePersona(broken).issues.map(({ code, path }) => [code, path])).toContainEqual(['invalid_field_type', '']);
});

test('whatever stands in whichever field, validation answers', () => {
  const fields = ['id', 'baseSystemPrompt', 'contextualPromptElements', 'metaPrompts', 'sentimentTracking', 'moodAdaptation', 'toolIds'];
  const more = ['personalityTraits', 'modelTargetPreferences', 'memoryConfig', 'reasoningTraceConfig', 'activationKeywords', 'heartbeat'];
  const inside = fc.dictionary(
    fc.constantFrom('id', 'type', 'content', 'criteria', 'trigger', 'presets', 'template', 'variables'),
    fc.anything(),
  );
  const value = fc.oneof(fc.anything({ withNullPrototype: true, maxDepth: 2 }), inside, fc.array(inside, { maxLength: 3 }));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...fields, ...more), value), fc.boolean(), (change, strict) => {
      const alone = validatePersona({ ...tutor, ...change }, { strict });
      expect(['valid', 'degraded', 'invalid']).toContain(alone.status);
      expect(alone.issues.every(({ message }) => typeof message === 'string')).toBe(true);
      expect(alone.issues.filter(({ path, code }) => path === '' && code === 'invalid_field_type')).toEqual([]);
    }),
    { numRuns: 100 },
  );
}, 30_000);

test('one malformed persona does not spoil the others', () => {
  const other = { ...tutor, id: 'other', activationKeywords: ['Shared', 'own'] };
  const results = validatePersonas([null, { ...tutor, activationKeywords: ['shared'] }, other, { ...tutor, activationKeywords: 'shared' }]);
  expect(results.map(({ status, issues }) => [status, issues.map(({ code }) => code)])).toEqual([
    ['invalid', ['invalid_field_type']],
    ['degraded', ['activation_keyword_conflict']],
    ['degraded', ['activation_keyword_conflict']],
    ['invalid', ['invalid_field_type']],
  ]);
});

test('parsing keeps every field, also those of other systems', () => {
  const handler = () => ({ updatedGmiMood: 'focused' });
  const full = {
    ...tutor,
    avatarConfig: { hue: 3 },
    metaPrompts: [{ id: 'm', promptTemplate: 't', mode: 'local', handler, trigger: { type: 'manual' } }],
    contextualPromptElements: [{ ...element, criteria: { not: { mood: ['curious', 'creative'] } } }],
  };
  expect(parsePersona(full)).toEqual(full);
});

test('parsing an invalid persona throws with every issue', () => {
  try {
    parsePersona({ ...tutor, version: 'x', toolIds: ['a', 'a'] });
    expect.unreachable();
  } catch (error) {
    expect(isAgentosError(error) && error.code).toBe('persona_invalid');
    expect((error as { issues: unknown[] }).issues).toHaveLength(2);
  }
});

test('the message counts what blocks, without the description that may be absent', () => {
  const { description: _, ...bare } = tutor;
  expect(parsePersona(bare)).toEqual(bare);
  expect(() => parsePersona({ ...bare, version: 'x' }, { which: 'Persona "two"' })).toThrow('Persona "two" has 1 error. version:');
  expect(() => parsePersona({ ...bare, description: 0 })).toThrow('The persona has 1 error. description:');
});
