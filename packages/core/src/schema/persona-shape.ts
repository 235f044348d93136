import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import type { Json } from '../json.js';
import type { IPersonaDefinition, MetaPromptDefinition } from '../persona.js';
import { ContextualElementType } from '../vocabulary.js';

let made: ReturnType<typeof makeShape> | undefined;

/** Reads anything as a persona, as far as types go. Fields that are not named here are kept: hosts and other systems put their own there. */
export function readShape(persona: unknown): z.core.util.SafeParseResult<IPersonaDefinition> {
  made ??= makeShape();
  return made.shape.safeParse(persona, { error: made.error });
}

/** Whether a part of this system reads the field. */
export function isPersonaField(name: string): boolean {
  made ??= makeShape();
  return name in made.shape.shape;
}

// The schemas are shared where they are equal: making one of each for every field would take three times as long.
function makeShape() {
  const filled = z.string().check(z.minLength(1));
  const text = z.optional(z.string());
  const texts = z.optional(z.array(z.string()));
  const textsByName = z.optional(z.record(z.string(), z.string()));
  const flag = z.optional(z.boolean());
  const number = z.optional(z.number());
  const numberFrom = (least: number) => z.optional(z.number().check(z.minimum(least)));
  const numberIn = (least: number, most: number) => z.optional(z.number().check(z.minimum(least), z.maximum(most)));
  const countFrom = (least: number) => z.optional(z.number().check(z.int(), z.minimum(least)));
  const [count, countFromOne, share] = [countFrom(0), countFrom(1), numberIn(0, 1)];

  const json: z.ZodMiniType<Json> = z.lazy(() =>
    z.union([z.null(), z.boolean(), z.number(), z.string(), z.array(json), z.record(z.string(), json)]),
  );
  const jsonRecord = z.optional(z.record(z.string(), json));
  const oneOrMore = z.union([z.string(), z.array(z.string())]);
  const oneOrAny = z.optional(oneOrMore);
  const numberRange = z.strictObject({ min: number, max: number });
  const scaleRange = z.strictObject({ atLeast: text, atMost: text });
  const someOfScale = z.optional(z.union([oneOrMore, scaleRange]));

  const textCriteria = z.strictObject({
    keys: z.array(z.string()),
    secondaryKeys: texts,
    wholeWord: flag,
    caseSensitive: flag,
    scanDepth: countFromOne,
    sticky: count,
    cooldown: count,
    delay: count,
    probability: share,
  });

  const criteria = z.strictObject({
    mood: oneOrAny,
    userSkillLevel: someOfScale,
    taskHint: oneOrAny,
    taskComplexity: someOfScale,
    language: oneOrAny,
    conversationSignals: texts,
    sentimentScore: z.optional(numberRange),
    turn: z.optional(numberRange),
    traits: z.optional(z.record(z.string(), numberRange)),
    predicate: oneOrAny,
    text: z.optional(textCriteria),
    get not() {
      return z.optional(criteria);
    },
    get anyOf() {
      return z.optional(z.array(criteria));
    },
  });

  // Triggers stay loose: what is wrong with one has a code of its own, and the metaprompt then never fires.
  const trigger = z.looseObject({ type: z.string() }) as unknown as z.ZodMiniType<NonNullable<MetaPromptDefinition['trigger']>>;

  const metaprompt = z.object({
    id: filled,
    description: text,
    promptTemplate: z.union([z.string(), z.object({ template: z.string(), variables: texts })]),
    modelId: text,
    providerId: text,
    maxOutputTokens: countFromOne,
    temperature: numberIn(0, 2),
    outputSchema: z.optional(z.record(z.string(), z.unknown())),
    trigger: z.optional(trigger),
    mode: z.optional(z.enum(['llm', 'local'])),
    handler: z.optional(
      z.custom<NonNullable<MetaPromptDefinition['handler']>>((value) => typeof value === 'function', 'must be a function'),
    ),
    cooldownTurns: count,
    maxCallsPerSession: count,
  });

  const sentiment = z.object({
    enabled: flag,
    method: z.optional(z.enum(['lexicon_based', 'llm', 'trained_classifier'])),
    modelId: text,
    providerId: text,
    historyWindow: count,
    frustrationThreshold: numberIn(-1, 0),
    satisfactionThreshold: share,
    consecutiveTurnsForTrigger: countFromOne,
    cooldownTurns: count,
    presets: texts,
    compat: flag,
  });

  const moodAdaptation = z.object({
    enabled: flag,
    defaultMood: text,
    allowedMoods: texts,
    sensitivityFactor: share,
    moodPrompts: textsByName,
    decayTurns: countFromOne,
    decayMs: numberFrom(0),
  });

  // A field that nobody reads here, such as `timezone`, would be hours that do not hold.
  const heartbeat = z.strictObject({
    everyMs: numberFrom(1),
    cron: text,
    timeZone: text,
    activeHours: z.optional(z.strictObject({ from: z.string(), to: z.string() })),
    missed: z.optional(z.enum(['skip', 'once', 'all'])),
    jitterMs: numberFrom(0),
  });

  const shape = z.looseObject({
    id: filled,
    name: filled,
    description: text,
    version: filled,
    label: text,
    baseSystemPrompt: z.union([
      filled,
      z.object({ template: z.string(), variables: textsByName }),
      z.array(z.object({ content: z.string(), priority: number })),
    ]),
    defaultModelId: text,
    defaultProviderId: text,
    defaultModelCompletionOptions: z.optional(z.object({ temperature: number, maxTokens: number })),
    modelTargetPreferences: z.optional(z.array(z.object({ modelFamily: text, modelId: text, providerId: text, allowedModelIds: texts }))),
    costSavingStrategy: z.optional(z.enum(['always_cheapest', 'balance_quality_cost', 'prioritize_quality', 'user_preference'])),
    toolIds: texts,
    allowedCapabilities: texts,
    allowedInputModalities: texts,
    allowedOutputModalities: texts,
    voiceConfig: jsonRecord,
    personalityTraits: z.optional(z.record(z.string(), z.number())),
    moodAdaptation: z.optional(moodAdaptation),
    defaultLanguage: text,
    sentimentTracking: z.optional(sentiment),
    metaPrompts: z.optional(z.array(metaprompt)),
    contextualPromptElements: z.optional(
      z.array(
        z.object({
          id: text,
          type: z.enum(Object.values(ContextualElementType) as [ContextualElementType, ...ContextualElementType[]]),
          content: filled,
          criteria: z.optional(criteria),
          priority: number,
          group: text,
        }),
      ),
    ),
    activationKeywords: texts,
    strengths: texts,
    initialMemoryImprints: z.optional(z.array(z.object({ key: filled, value: json, description: text }))),
    hardLimits: texts,
    conversationContextConfig: z.optional(z.object({ maxMessages: countFromOne })),
    memoryConfig: jsonRecord,
    // Loose as well: a bad figure here is a warning with its own code, and the default is used.
    reasoningTraceConfig: z.optional(
      z.custom<NonNullable<IPersonaDefinition['reasoningTraceConfig']>>((value) => typeof value === 'object' && value !== null),
    ),
    heartbeat: z.optional(heartbeat),
    customFields: jsonRecord,
  }) satisfies z.ZodMiniType<IPersonaDefinition>;
  // Said here, since zod's small form has no words of its own and takes those that the host's zod was last told.
  return { shape, error: en().localeError };
}
