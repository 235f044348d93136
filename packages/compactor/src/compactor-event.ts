import type { ChatMessage, ToolSpec, Turn } from '@x/core';

/** What a compactor is given: the list that is about to go to a model, and what travels beside it. */
export interface CompactorEvent<M extends object = ChatMessage> {
  readonly messages: readonly M[];
  readonly tools?: readonly ToolSpec[] | undefined;
  readonly model?: string | undefined;
  readonly turn?: number | undefined;
  /** Tokens of system prompt, tools and notes that are not in `messages`; without it `tools` are counted. */
  readonly overheadTokens?: number | undefined;
  readonly context?: Turn | undefined;
  /** What a provider counted for an earlier request of the very messages that this list begins with. A hint: never below our own count, and ignored when it cannot be true. */
  readonly usage?: { readonly inputTokens: number; readonly of: readonly object[] } | undefined;
}
