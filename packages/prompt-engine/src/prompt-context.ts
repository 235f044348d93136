import type { IPersonaDefinition, Json } from '@x/core';

/** What elements are matched against. Every field may be missing; a criterion on a missing value does not hold. */
export interface PromptExecutionContext {
  readonly activePersona?: IPersonaDefinition | undefined;
  readonly currentMood?: string | undefined;
  readonly userSkillLevel?: string | undefined;
  readonly taskHint?: string | undefined;
  readonly taskComplexity?: string | undefined;
  /** BCP 47. */
  readonly language?: string | undefined;
  readonly conversationSignals?: readonly string[] | undefined;
  /** -1 to 1; `null` and `undefined` are unknown and match no range. */
  readonly sentimentScore?: number | null | undefined;
  /** User turns so far, this one included: 1 in the first. */
  readonly turn?: number | undefined;
  /** HEXACO scores, 0 to 1. */
  readonly traits?: { readonly [trait: string]: number } | undefined;
  /** What text criteria search: the newest texts of user and assistant, oldest first, the input last. */
  readonly recentTexts?: readonly string[] | undefined;
  /** Which text criteria stick or rest; from the result of the turn before. */
  readonly elementTiming?: ElementTiming | undefined;
  /** Seed of chance; the same seed, turn and element draw the same number. Default `''`. */
  readonly seed?: string | undefined;
  /** `verbosity` and `preferredFormat` become guidance, by a fixed list of values; all else is ignored. */
  readonly userPreferences?: { readonly [key: string]: Json } | undefined;
}

/** By element: the last turn in which it stays, and the last one in which it rests. */
export type ElementTiming = { readonly [element: string]: { readonly until: number; readonly restUntil: number } };

/** Something that was left out or went wrong while a prompt was made, and that stopped nothing. */
export interface PromptIssue {
  readonly code:
    | 'element_limit'
    | 'element_type_limit'
    | 'element_token_limit'
    | 'predicate_failed'
    | 'history_trimmed'
    | 'history_unpaired'
    | 'history_system_left_out'
    | 'retrieved_trimmed'
    | 'retrieve_failed'
    | 'imprints_trimmed'
    | 'tool_excluded'
    | 'tool_limit'
    | 'tool_name_invalid'
    | 'tool_schema_unsupported'
    | 'tools_unsupported'
    | 'image_unsupported'
    | 'audio_unsupported'
    | 'preference_ignored';
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  /** What it is about: an element's or a tool's name, a number of messages. */
  readonly details?: { readonly [key: string]: Json } | undefined;
}

/** How code reports what it left out. */
export type Report = (
  code: PromptIssue['code'],
  severity: PromptIssue['severity'],
  message: string,
  details?: PromptIssue['details'],
) => void;
