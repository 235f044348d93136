import { checkFigures } from '@x/core';
import type { PromptEngineOptions } from './engine-options.js';
import type { PromptHookOptions } from './prompt-hook.js';

type Options = PromptEngineOptions & Partial<Pick<PromptHookOptions, 'retrieveTimeoutMs' | 'anchorEveryTurns' | 'imprints'>>;

/**
 * Checks all figures among the options of engine and hook.
 *
 * @throws `invalid_argument`
 */
export function checkLimits({ limits, stableLimits, maxRetrievedTokens, retrieveTimeoutMs, anchorEveryTurns, imprints }: Options): void {
  const figures: { readonly [name: string]: unknown } = { maxRetrievedTokens, retrieveTimeoutMs, anchorEveryTurns };
  const { keys: _keys, ...bounds } = typeof imprints === 'object' && imprints !== null ? imprints : {};
  for (const { maxPerType, ...rest } of [limits ?? {}, stableLimits ?? {}]) {
    checkFigures(rest);
    checkFigures(typeof maxPerType === 'object' && maxPerType !== null ? { ...maxPerType } : { maxPerType });
  }
  checkFigures(figures);
  checkFigures(bounds);
}
