import type { GMIEvent } from './events.js';
import type { Json } from './json.js';
import type { Stored } from './messages.js';
import type { AgentState } from './state.js';
import type { ContextualElementType, TraitName } from './vocabulary.js';

/** One value, or a list of which any may match. Words are compared without regard to case. */
export type OneOrAny = string | readonly string[];

/** Bounds of a number, both inclusive. */
export interface NumberRange {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Bounds on an ordered scale such as `SKILL_LEVELS`, both inclusive. */
export interface ScaleRange {
  readonly atLeast?: string | undefined;
  readonly atMost?: string | undefined;
}

/** Words that must stand in the recent conversation, in the manner of a lorebook. */
export interface TextCriteria {
  /** Any of these must occur. A key of the form `/pattern/flags` is a regular expression. */
  readonly keys: readonly string[];
  /** If given, at least one of these must occur too. */
  readonly secondaryKeys?: readonly string[] | undefined;
  /** Match whole words only; default true. Has no effect on regular expressions. */
  readonly wholeWord?: boolean | undefined;
  /** Default false. */
  readonly caseSensitive?: boolean | undefined;
  /** How many of the newest messages are searched, the input included; default 4. */
  readonly scanDepth?: number | undefined;
  /** Turns for which the element stays once it matched; default 0. */
  readonly sticky?: number | undefined;
  /** Turns for which the element rests after it left; default 0. */
  readonly cooldown?: number | undefined;
  /** Turns of the session that must have passed; default 0. */
  readonly delay?: number | undefined;
  /** Chance to match, 0 to 1, drawn from a seed of turn and element; default 1. */
  readonly probability?: number | undefined;
}

/** What must hold for an element to enter the prompt. All fields given must hold; none given always holds. */
export interface ElementCriteria {
  readonly mood?: OneOrAny | undefined;
  readonly userSkillLevel?: OneOrAny | ScaleRange | undefined;
  /** Holds when the domain of the task contains this text. */
  readonly taskHint?: OneOrAny | undefined;
  readonly taskComplexity?: OneOrAny | ScaleRange | undefined;
  /** BCP 47; `de` also matches `de-AT`. */
  readonly language?: OneOrAny | undefined;
  /** Every one of these must be among the turn's signals. */
  readonly conversationSignals?: readonly string[] | undefined;
  /** -1 to 1; an unknown score matches no range. */
  readonly sentimentScore?: NumberRange | undefined;
  /** User turns of the lane, from 1. */
  readonly turn?: NumberRange | undefined;
  readonly traits?: { readonly [K in TraitName]?: NumberRange | undefined } | undefined;
  /** Names of predicates that the host gave to the engine; all must hold. */
  readonly predicate?: OneOrAny | undefined;
  readonly text?: TextCriteria | undefined;
  readonly not?: ElementCriteria | undefined;
  readonly anyOf?: readonly ElementCriteria[] | undefined;
}

/** A piece of guidance that enters the prompt while its criteria hold. */
export interface ContextualPromptElement {
  readonly id?: string | undefined;
  readonly type: ContextualElementType;
  readonly content: string;
  readonly criteria?: ElementCriteria | undefined;
  /** Higher enters first when room is short; default 0. */
  readonly priority?: number | undefined;
  /** Of the elements of one group only the first chosen enters. */
  readonly group?: string | undefined;
}

export type MetaPromptTrigger =
  | { readonly type: 'turn_interval'; readonly intervalTurns: number }
  | { readonly type: 'event_based'; readonly eventName: string }
  | { readonly type: 'manual' };

/** What a metaprompt's reply may change; other fields are kept in the trace only. */
export interface MetapromptUpdates {
  readonly updatedGmiMood?: string | undefined;
  readonly updatedUserSkillLevel?: string | undefined;
  readonly updatedTaskComplexity?: string | undefined;
  readonly newMemoryImprints?:
    | readonly { readonly key: string; readonly value: Json; readonly description?: string | undefined }[]
    | undefined;
  readonly adjustmentRationale?: string | undefined;
  readonly recoveryStrategy?: string | undefined;
  readonly clarificationStrategy?: string | undefined;
  readonly engagementStrategy?: string | undefined;
  readonly mitigationStrategy?: string | undefined;
}

/** What a local handler decides from. */
export interface MetapromptContext {
  readonly state: AgentState;
  /** The events that woke it. */
  readonly events: readonly GMIEvent[];
  readonly history: readonly Stored[];
}

/** A background prompt that may edit state between turns. */
export interface MetaPromptDefinition {
  readonly id: string;
  readonly description?: string | undefined;
  readonly promptTemplate: string | { readonly template: string; readonly variables?: readonly string[] | undefined };
  /** Default: the persona's model. */
  readonly modelId?: string | undefined;
  readonly providerId?: string | undefined;
  /** Default 512. */
  readonly maxOutputTokens?: number | undefined;
  /** Default 0.3. */
  readonly temperature?: number | undefined;
  /** JSON Schema of the reply; replies that break it are refused. */
  readonly outputSchema?: { readonly [key: string]: unknown } | undefined;
  /** Without a trigger it never runs. */
  readonly trigger?: MetaPromptTrigger | undefined;
  /** `local` runs `handler` (or the preset's own) instead of a model. Default `llm`. */
  readonly mode?: 'llm' | 'local' | undefined;
  /** Pure; used in mode `local`. */
  readonly handler?: ((context: MetapromptContext) => MetapromptUpdates | undefined) | undefined;
  /** User turns after a run in which events do not wake it again; default 10 for events, 0 otherwise. */
  readonly cooldownTurns?: number | undefined;
  /** Most runs in one session; default unlimited. */
  readonly maxCallsPerSession?: number | undefined;
}

export interface SentimentTrackingConfig {
  /** Default false. */
  readonly enabled?: boolean | undefined;
  /** Unset: `detectAffect`. See the sentiment package for the three named methods. */
  readonly method?: 'lexicon_based' | 'llm' | 'trained_classifier' | undefined;
  readonly modelId?: string | undefined;
  readonly providerId?: string | undefined;
  /** Scores kept; 0 keeps none. Default 10. */
  readonly historyWindow?: number | undefined;
  /** -1 to 0; default -0.3. */
  readonly frustrationThreshold?: number | undefined;
  /** 0 to 1; default 0.3. */
  readonly satisfactionThreshold?: number | undefined;
  /** Whole number from 1; default 2. */
  readonly consecutiveTurnsForTrigger?: number | undefined;
  /** User turns before an event that goes on is raised again; default 10. */
  readonly cooldownTurns?: number | undefined;
  /** Short names of preset metaprompts, or `all`. */
  readonly presets?: readonly string[] | undefined;
  /** True: the seed's event table to the letter. Default false. */
  readonly compat?: boolean | undefined;
}

export interface MoodAdaptation {
  readonly enabled?: boolean | undefined;
  /** A `GMIMood`; default `neutral`. */
  readonly defaultMood?: string | undefined;
  /** Moods that metaprompts may choose; default all. */
  readonly allowedMoods?: readonly string[] | undefined;
  /** 0 to 1. */
  readonly sensitivityFactor?: number | undefined;
  /** A line for the prompt by mood. */
  readonly moodPrompts?: { readonly [mood: string]: string } | undefined;
  /** User turns after which a mood that nothing renews falls back to the default; default 8. */
  readonly decayTurns?: number | undefined;
  /** Milliseconds after which it does; default 21,600,000 (six hours). */
  readonly decayMs?: number | undefined;
}

/** Beats of a persona that acts by itself. */
export interface HeartbeatConfig {
  readonly everyMs?: number | undefined;
  /** Five- or six-field cron pattern; instead of `everyMs`. */
  readonly cron?: string | undefined;
  /** IANA name; default UTC. */
  readonly timeZone?: string | undefined;
  /** Local hours in which beats happen, such as `{ from: '08:00', to: '22:00' }`. */
  readonly activeHours?: { readonly from: string; readonly to: string } | undefined;
  /** What happens to beats that were due while nothing ran; default `once`. */
  readonly missed?: 'skip' | 'once' | 'all' | undefined;
  /** Most milliseconds that a beat may be moved at random; default 0. */
  readonly jitterMs?: number | undefined;
}

/** A persona: the part of an agent that its author writes. An object, a JSON file and a directory all yield this. */
export interface IPersonaDefinition {
  readonly id: string;
  readonly name: string;
  readonly description?: string | undefined;
  /** Semantic version. */
  readonly version: string;
  readonly label?: string | undefined;
  readonly baseSystemPrompt:
    | string
    | { readonly template: string; readonly variables?: { readonly [name: string]: string } | undefined }
    | readonly { readonly content: string; readonly priority?: number | undefined }[];
  readonly defaultModelId?: string | undefined;
  readonly defaultProviderId?: string | undefined;
  readonly defaultModelCompletionOptions?:
    | { readonly temperature?: number | undefined; readonly maxTokens?: number | undefined }
    | undefined;
  readonly modelTargetPreferences?:
    | readonly {
        readonly modelFamily?: string | undefined;
        readonly modelId?: string | undefined;
        readonly providerId?: string | undefined;
        readonly allowedModelIds?: readonly string[] | undefined;
      }[]
    | undefined;
  readonly costSavingStrategy?: 'always_cheapest' | 'balance_quality_cost' | 'prioritize_quality' | 'user_preference' | undefined;
  readonly toolIds?: readonly string[] | undefined;
  readonly allowedCapabilities?: readonly string[] | undefined;
  readonly allowedInputModalities?: readonly string[] | undefined;
  readonly allowedOutputModalities?: readonly string[] | undefined;
  readonly voiceConfig?: { readonly [key: string]: Json } | undefined;
  /** HEXACO scores, 0 to 1; a missing trait is 0.5. */
  readonly personalityTraits?: { readonly [trait: string]: number } | undefined;
  readonly moodAdaptation?: MoodAdaptation | undefined;
  /** BCP 47. */
  readonly defaultLanguage?: string | undefined;
  readonly sentimentTracking?: SentimentTrackingConfig | undefined;
  readonly metaPrompts?: readonly MetaPromptDefinition[] | undefined;
  readonly contextualPromptElements?: readonly ContextualPromptElement[] | undefined;
  readonly activationKeywords?: readonly string[] | undefined;
  /** The first is the domain of a task that names none. */
  readonly strengths?: readonly string[] | undefined;
  readonly initialMemoryImprints?:
    | readonly { readonly key: string; readonly value: Json; readonly description?: string | undefined }[]
    | undefined;
  /** Rules of the operator, placed last in the stable prompt. */
  readonly hardLimits?: readonly string[] | undefined;
  readonly conversationContextConfig?: { readonly maxMessages?: number | undefined } | undefined;
  readonly memoryConfig?: { readonly [key: string]: Json } | undefined;
  readonly reasoningTraceConfig?: { readonly maxEntries?: number | undefined; readonly maxMessageLength?: number | undefined } | undefined;
  readonly heartbeat?: HeartbeatConfig | undefined;
  readonly customFields?: { readonly [key: string]: Json } | undefined;
}
