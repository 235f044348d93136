import { checkFigures, InvalidArgumentError } from '@x/core';
import type { MetapromptHookOptions } from './metaprompt-hook.js';

/**
 * Checks options where they are given: a budget that is NaN would bound nothing, and a mode that is misspelt would ask
 * a model.
 *
 * @throws {@link InvalidArgumentError}
 */
export function checkOptions({ persona, mode, timeoutMs, dailyTokens, limits, prices }: MetapromptHookOptions): void {
  if (typeof persona !== 'object' || persona === null) throw new InvalidArgumentError('persona must be a persona definition');
  const { metaPrompts = [] } = persona;
  if (!Array.isArray(metaPrompts) || metaPrompts.some((one) => typeof one !== 'object' || one === null))
    throw new InvalidArgumentError('metaPrompts must be a list of definitions. validatePersona says what is wrong with a persona');
  if (mode !== undefined && mode !== 'llm' && mode !== 'local') throw new InvalidArgumentError("mode must be 'llm' or 'local'");
  if (timeoutMs !== undefined && !(timeoutMs > 0)) throw new InvalidArgumentError('timeoutMs must be a number above 0');
  checkFigures({ dailyTokens, ...limits, ...prices });
}
