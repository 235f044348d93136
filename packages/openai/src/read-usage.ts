import type { Usage } from '@x/core';

/** What speaks for or against a count. */
export interface UsageBounds {
  /** True when the request as it was sent is at least that many bytes long. */
  readonly isAsLongAs: (bytes: number) => boolean;
  /** True when it holds images or sound, whose tokens its length does not bound. */
  readonly hasMedia: () => boolean;
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
export function plausibleUsage(counts: Usage, { isAsLongAs, hasMedia, contextWindow, answered }: UsageBounds): Usage {
  const canBe = (tokens: number): boolean =>
    tokens > 0 &&
    tokens <= (contextWindow ?? Number.POSITIVE_INFINITY) &&
    (tokens <= TEMPLATE_TOKENS || isAsLongAs(tokens - TEMPLATE_TOKENS) || hasMedia());
  const inputTokens = isCount(counts.inputTokens) && canBe(counts.inputTokens) ? counts.inputTokens : undefined;
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
