import type { Usage } from '@x/core';

/** What speaks for or against a count. */
export interface UsageBounds {
  /** Characters of the request as it was sent. */
  readonly requestChars: number;
  /** True when it holds images or sound, whose tokens its length does not bound. */
  readonly hasMedia: boolean;
  readonly contextWindow?: number | undefined;
  /** True when the answer is not empty. */
  readonly answered: boolean;
}

// A template adds some tokens to what was sent; the room is ours and generous.
const TEMPLATE_TOKENS = 2_000;

/**
 * Keeps the counts that can be true. Zero is what servers say that did not count; more tokens than characters, or than
 * the model's window, is an error of theirs.
 */
export function plausibleUsage(counts: Usage, { requestChars, hasMedia, contextWindow, answered }: UsageBounds): Usage {
  const most = Math.min(contextWindow ?? Number.POSITIVE_INFINITY, hasMedia ? Number.POSITIVE_INFINITY : requestChars + TEMPLATE_TOKENS);
  const inputTokens = isCount(counts.inputTokens) && counts.inputTokens > 0 && counts.inputTokens <= most ? counts.inputTokens : undefined;
  const outputMost = contextWindow ?? 10_000_000;
  const outputTokens =
    isCount(counts.outputTokens) && counts.outputTokens <= outputMost && (counts.outputTokens > 0 || !answered)
      ? counts.outputTokens
      : undefined;
  const { cachedTokens } = counts;
  const cached = isCount(cachedTokens) && inputTokens !== undefined && cachedTokens <= inputTokens ? cachedTokens : undefined;
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cached !== undefined && { cachedTokens: cached }),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
