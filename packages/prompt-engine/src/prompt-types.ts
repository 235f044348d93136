import type { Block, Capabilities, ChatMessage, ContentPart, Stored, ToolSpec } from '@x/core';
import type { ElementTiming, PromptIssue } from './prompt-context.js';
import type { RetrievedItem } from './render-records.js';
import type { ToolReason } from './tool-manifest.js';

/** What a prompt is made of. */
export interface PromptComponents {
  /** Joined lowest priority first; equal ones in their order. Trusted text. */
  readonly systemPrompts?:
    | readonly (string | { readonly content: string; readonly priority?: number | undefined; readonly source?: string | undefined })[]
    | undefined;
  /** Oldest first, without the message of this turn. Frozen when first seen: a message is not edited, it is replaced. */
  readonly conversationHistory?: readonly ChatMessage[] | undefined;
  /**
   * The message of this turn. A message that has an id keeps it; others are named by `turn` of the context, or by the
   * length of the history, and by their text. Give ids or turns where you fold histories.
   */
  readonly userInput?: string | readonly ContentPart[] | ChatMessage | null | undefined;
  readonly visionInputs?: readonly VisionInput[] | undefined;
  readonly audioInput?: { readonly data: string; readonly format: string } | null | undefined;
  readonly retrievedContext?: string | readonly (string | RetrievedItem)[] | undefined;
  /** An `id` is what a tool manifest may call the tool by; the model is told the name alone. */
  readonly tools?: readonly (ToolSpec & { readonly id?: string | undefined })[] | undefined;
  /** The notes already sent, from the result of the turn before. Without them every note is said in this turn. */
  readonly blocks?: readonly Block[] | undefined;
}

/** An image by address or as base64. */
export interface VisionInput {
  readonly url?: string | undefined;
  readonly base64?: string | undefined;
  /** Default `image/png`; used with `base64`. */
  readonly mimeType?: string | undefined;
  readonly detail?: 'auto' | 'low' | 'high' | undefined;
}

/** The names of the four provider rows. */
export type PromptFormat = 'openai_chat' | 'anthropic_messages' | 'google_gemini' | 'generic_completion';

/** Whom the prompt is for. */
export interface ModelTargetInfo {
  readonly modelId: string;
  readonly providerId?: string | undefined;
  /** Tokens that the model takes in one request, its answer included. */
  readonly maxContextTokens: number;
  /** Tokens that a request should have at most; default `maxContextTokens`. */
  readonly optimalContextTokens?: number | undefined;
  /** Tokens kept free for the answer; default a quarter of the window, at most 4,096. */
  readonly reservedOutputTokens?: number | undefined;
  /** Default `openai_chat`. */
  readonly promptFormatType?: PromptFormat | (string & {}) | undefined;
  /** What the endpoint accepts; default the row of the format. */
  readonly capabilities?: Capabilities | readonly string[] | undefined;
  readonly toolSupport?:
    | { readonly supported: boolean; readonly format?: string | undefined; readonly maxToolsPerCall?: number | undefined }
    | undefined;
  readonly visionSupport?: { readonly supported: boolean } | undefined;
  readonly audioSupport?: { readonly supported: boolean } | undefined;
}

export interface PromptEngineResult {
  /** Messages, or one text for `generic_completion`. */
  readonly prompt: readonly ChatMessage[] | string;
  /** Present when there are tools and the model takes them; in the shape of `toolSupport.format`. */
  readonly formattedToolSchemas?: readonly object[] | undefined;
  /** Of the whole request, tools included; an estimate unless a tokenizer was given. */
  readonly tokenCount: number;
  readonly issues: readonly PromptIssue[];
  /** True when anything was left out for want of room. */
  readonly wasTruncatedOrSummarized: boolean;
  /** The message of this turn as it belongs into the history; absent without input. */
  readonly input?: Stored | undefined;
  /** The notes sent so far; give them back with the next turn. */
  readonly blocks: readonly Block[];
  /** Which text criteria stick or rest from now on; give it back in the context of the next turn. */
  readonly elementTiming: ElementTiming;
  readonly metadata: PromptMetadata;
}

export interface PromptMetadata {
  /** In the order of their ranks; all of them are in the prompt. */
  readonly selectedContextualElementIds: readonly string[];
  readonly templateUsed: string;
  /** Tokens of tools and stable system text: what every request of the session begins with. */
  readonly stablePrefixTokens: number;
  readonly systemTokens: number;
  readonly toolTokens: number;
  readonly historyTokens: number;
  readonly userTokens: number;
  readonly retrievedTokens: number;
  /** What all of it had to fit into. */
  readonly budgetTokens: number;
  readonly totalSystemPromptsApplied: number;
  readonly historyMessagesIncluded: number;
  readonly toolReasons: ReadonlyMap<string, ToolReason>;
}
