import * as z from 'zod';
import type { Json } from '../json.js';
import type { IPersonaDefinition, MetaPromptDefinition } from '../persona.js';
import { ContextualElementType } from '../vocabulary.js';

let made: ReturnType<typeof makeShape> | undefined;

/**
 * The shape of a persona. Fields that it does not name are kept: hosts and other systems put their own there. It is made
 * when it is first asked for: that takes longer than to load all of zod.
 */
export function personaShape(): ReturnType<typeof makeShape> {
  made ??= makeShape();
  return made;
}

function makeShape() {
  const json: z.ZodType<Json> = z.lazy(() =>
    z.union([z.null(), z.boolean(), z.number(), z.string(), z.array(json), z.record(z.string(), json)]),
  );
  const jsonRecord = z.record(z.string(), json);
  const oneOrAny = z.union([z.string(), z.array(z.string())]);
  const numberRange = z.strictObject({ min: z.number().optional(), max: z.number().optional() });
  const scaleRange = z.strictObject({ atLeast: z.string().optional(), atMost: z.string().optional() });

  const textCriteria = z.strictObject({
    keys: z.array(z.string()),
    secondaryKeys: z.array(z.string()).optional(),
    wholeWord: z.boolean().optional(),
    caseSensitive: z.boolean().optional(),
    scanDepth: z.number().int().min(1).optional(),
    sticky: z.number().int().min(0).optional(),
    cooldown: z.number().int().min(0).optional(),
    delay: z.number().int().min(0).optional(),
    probability: z.number().min(0).max(1).optional(),
  });

  const criteria = z.strictObject({
    mood: oneOrAny.optional(),
    userSkillLevel: z.union([oneOrAny, scaleRange]).optional(),
    taskHint: oneOrAny.optional(),
    taskComplexity: z.union([oneOrAny, scaleRange]).optional(),
    language: oneOrAny.optional(),
    conversationSignals: z.array(z.string()).optional(),
    sentimentScore: numberRange.optional(),
    turn: numberRange.optional(),
    traits: z.record(z.string(), numberRange).optional(),
    predicate: oneOrAny.optional(),
    text: textCriteria.optional(),
    get not() {
      return criteria.optional();
    },
    get anyOf() {
      return z.array(criteria).optional();
    },
  });

  // Triggers stay loose: what is wrong with one has a code of its own, and the metaprompt then never fires.
  const trigger = z.looseObject({ type: z.string() }) as unknown as z.ZodType<NonNullable<MetaPromptDefinition['trigger']>>;

  const metaprompt = z.object({
    id: z.string().min(1),
    description: z.string().optional(),
    promptTemplate: z.union([z.string(), z.object({ template: z.string(), variables: z.array(z.string()).optional() })]),
    modelId: z.string().optional(),
    providerId: z.string().optional(),
    maxOutputTokens: z.number().int().min(1).optional(),
    temperature: z.number().min(0).max(2).optional(),
    outputSchema: z.record(z.string(), z.unknown()).optional(),
    trigger: trigger.optional(),
    mode: z.enum(['llm', 'local']).optional(),
    handler: z
      .custom<NonNullable<MetaPromptDefinition['handler']>>((value) => typeof value === 'function', 'must be a function')
      .optional(),
    cooldownTurns: z.number().int().min(0).optional(),
    maxCallsPerSession: z.number().int().min(0).optional(),
  });

  const sentiment = z.object({
    enabled: z.boolean().optional(),
    method: z.enum(['lexicon_based', 'llm', 'trained_classifier']).optional(),
    modelId: z.string().optional(),
    providerId: z.string().optional(),
    historyWindow: z.number().int().min(0).optional(),
    frustrationThreshold: z.number().min(-1).max(0).optional(),
    satisfactionThreshold: z.number().min(0).max(1).optional(),
    consecutiveTurnsForTrigger: z.number().int().min(1).optional(),
    cooldownTurns: z.number().int().min(0).optional(),
    presets: z.array(z.string()).optional(),
    compat: z.boolean().optional(),
  });

  const moodAdaptation = z.object({
    enabled: z.boolean().optional(),
    defaultMood: z.string().optional(),
    allowedMoods: z.array(z.string()).optional(),
    sensitivityFactor: z.number().min(0).max(1).optional(),
    moodPrompts: z.record(z.string(), z.string()).optional(),
    decayTurns: z.number().int().min(1).optional(),
    decayMs: z.number().min(0).optional(),
  });

  const heartbeat = z.object({
    everyMs: z.number().min(1).optional(),
    cron: z.string().optional(),
    timeZone: z.string().optional(),
    activeHours: z.object({ from: z.string(), to: z.string() }).optional(),
    missed: z.enum(['skip', 'once', 'all']).optional(),
    jitterMs: z.number().min(0).optional(),
  });

  return z.looseObject({
    id: z.string().min(1),
    name: z.string().min(1),
    description: z.string().optional(),
    version: z.string().min(1),
    label: z.string().optional(),
    baseSystemPrompt: z.union([
      z.string().min(1),
      z.object({ template: z.string(), variables: z.record(z.string(), z.string()).optional() }),
      z.array(z.object({ content: z.string(), priority: z.number().optional() })),
    ]),
    defaultModelId: z.string().optional(),
    defaultProviderId: z.string().optional(),
    defaultModelCompletionOptions: z.object({ temperature: z.number().optional(), maxTokens: z.number().optional() }).optional(),
    modelTargetPreferences: z
      .array(
        z.object({
          modelFamily: z.string().optional(),
          modelId: z.string().optional(),
          providerId: z.string().optional(),
          allowedModelIds: z.array(z.string()).optional(),
        }),
      )
      .optional(),
    costSavingStrategy: z.enum(['always_cheapest', 'balance_quality_cost', 'prioritize_quality', 'user_preference']).optional(),
    toolIds: z.array(z.string()).optional(),
    allowedCapabilities: z.array(z.string()).optional(),
    allowedInputModalities: z.array(z.string()).optional(),
    allowedOutputModalities: z.array(z.string()).optional(),
    voiceConfig: jsonRecord.optional(),
    personalityTraits: z.record(z.string(), z.number()).optional(),
    moodAdaptation: moodAdaptation.optional(),
    defaultLanguage: z.string().optional(),
    sentimentTracking: sentiment.optional(),
    metaPrompts: z.array(metaprompt).optional(),
    contextualPromptElements: z
      .array(
        z.object({
          id: z.string().optional(),
          type: z.enum(Object.values(ContextualElementType) as [ContextualElementType, ...ContextualElementType[]]),
          content: z.string().min(1),
          criteria: criteria.optional(),
          priority: z.number().optional(),
          group: z.string().optional(),
        }),
      )
      .optional(),
    activationKeywords: z.array(z.string()).optional(),
    strengths: z.array(z.string()).optional(),
    initialMemoryImprints: z.array(z.object({ key: z.string().min(1), value: json, description: z.string().optional() })).optional(),
    hardLimits: z.array(z.string()).optional(),
    conversationContextConfig: z.object({ maxMessages: z.number().int().min(1).optional() }).optional(),
    memoryConfig: jsonRecord.optional(),
    // Loose as well: a bad figure here is a warning with its own code, and the default is used.
    reasoningTraceConfig: z
      .custom<NonNullable<IPersonaDefinition['reasoningTraceConfig']>>((value) => typeof value === 'object' && value !== null)
      .optional(),
    heartbeat: heartbeat.optional(),
    customFields: jsonRecord.optional(),
  }) satisfies z.ZodType<IPersonaDefinition>;
}
