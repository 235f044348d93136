import type { RunUsage } from '@x/runtime';

/** What a model costs, in US dollars per million tokens. */
export interface Price {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** For input read from the provider's cache; default as other input. */
  readonly cachedInputPerMillion?: number | undefined;
}
export type Prices = { readonly [modelId: string]: Price };

/** The one price that the seed of this project works with (October 2024). Prices change: pass your own for real bills. */
export const SEED_PRICES: Prices = { 'gpt-4o-mini': { inputPerMillion: 0.15, outputPerMillion: 0.6, cachedInputPerMillion: 0.075 } };

/** US dollars of a run; `undefined` when the model's price is not known. */
export function costOf(
  usage: Pick<RunUsage, 'inputTokens' | 'outputTokens' | 'cachedTokens'>,
  modelId: string,
  prices: Prices,
): number | undefined {
  const price = Object.hasOwn(prices, modelId) ? prices[modelId] : undefined;
  if (!price) return undefined;
  const cached = Math.min(usage.cachedTokens, usage.inputTokens);
  const cachedPrice = price.cachedInputPerMillion ?? price.inputPerMillion;
  return ((usage.inputTokens - cached) * price.inputPerMillion + cached * cachedPrice + usage.outputTokens * price.outputPerMillion) / 1e6;
}
