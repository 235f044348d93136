import { InvalidArgumentError } from '@x/core';
import { PromptTooLargeError } from './errors.js';
import type { ModelTargetInfo } from './prompt-types.js';

/** What a prompt may cost, and what is left of it. */
export interface Budget {
  readonly tokens: number;
  readonly spend: (tokens: number) => void;
  /** Never below 0. */
  readonly left: () => number;
  readonly spent: () => number;
}

/**
 * A budget from which all that cannot be cut is already paid.
 *
 * @throws {@link PromptTooLargeError} that is more than there is. {@link InvalidArgumentError} a figure that is no number:
 * a budget made of it would never be full.
 */
export function createBudget(
  target: ModelTargetInfo,
  fixed: { readonly system: number; readonly tools: number; readonly user: number },
): Budget {
  const { maxContextTokens, optimalContextTokens = maxContextTokens } = target;
  const reserved = target.reservedOutputTokens ?? Math.min(4096, Math.floor(maxContextTokens / 4));
  if (!(isCount(maxContextTokens) && isCount(optimalContextTokens) && isCount(reserved)))
    throw new InvalidArgumentError('maxContextTokens, optimalContextTokens and reservedOutputTokens are numbers of tokens from 0');
  const tokens = Math.max(0, Math.min(optimalContextTokens, maxContextTokens - reserved));
  let spent = fixed.system + fixed.tools + fixed.user;
  if (spent > tokens) {
    const [part] = (['system', 'tools', 'user'] as const).toSorted((a, b) => fixed[b] - fixed[a]);
    throw new PromptTooLargeError({ part: part!, tokens: spent, budgetTokens: tokens });
  }
  return {
    tokens,
    spend: (cost) => {
      spent += cost;
    },
    left: () => Math.max(0, tokens - spent),
    spent: () => spent,
  };
}

function isCount(figure: unknown): boolean {
  return typeof figure === 'number' && figure >= 0;
}
