import { InvalidArgumentError } from '@x/core';
import type { PromptEngineOptions } from './engine-options.js';
import type { PromptHookOptions } from './prompt-hook.js';

type Options = PromptEngineOptions & Partial<Pick<PromptHookOptions, 'retrieveTimeoutMs' | 'anchorEveryTurns' | 'imprints'>>;

/**
 * Checks limits where they are given: a limit that is NaN would limit nothing.
 *
 * @throws {@link InvalidArgumentError}
 */
export function checkFigures({ limits, stableLimits, maxRetrievedTokens, retrieveTimeoutMs, anchorEveryTurns, imprints }: Options): void {
  const figures: { readonly [name: string]: unknown } = { maxRetrievedTokens, retrieveTimeoutMs, anchorEveryTurns };
  const { keys: _keys, ...bounds } = typeof imprints === 'object' && imprints !== null ? imprints : {};
  for (const { maxPerType, ...rest } of [limits ?? {}, stableLimits ?? {}]) {
    check(rest);
    check(typeof maxPerType === 'object' && maxPerType !== null ? { ...maxPerType } : { maxPerType });
  }
  check(figures);
  check(bounds);
}

function check(figures: { readonly [name: string]: unknown }): void {
  for (const name in figures) {
    const value = figures[name];
    if (value !== undefined && !(typeof value === 'number' && value >= 0))
      throw new InvalidArgumentError(`${name} must be a number of at least 0`);
  }
}
