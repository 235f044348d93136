import { estimateTextTokens, type Json, KEYS, type MetaPromptDefinition } from '@x/core';
import { count, object } from './read-affect.js';
import { templateOf } from './render-template.js';

/** User turns that the metaprompts of a lane have seen. */
export const TURNS_KEY = 'metaprompt_turns';
/** How often a metaprompt has run in this session. */
export const callsKey = (metapromptId: string): string => `metaprompt_calls_${metapromptId}`;

/** Tokens that all metaprompts of one lane may use in a day (UTC), unless the host says otherwise. Ours. */
export const DAILY_TOKENS = 1_000_000;
/** Most tokens of a reply, unless the definition says otherwise; the seed's. */
export const MAX_OUTPUT_TOKENS = 512;

/** What metaprompts have used; kept under `gmi_metaprompt_usage`, written by background work only. */
export interface MetapromptUsage {
  /** UTC date that the day's figures belong to, such as `2026-03-01`. */
  readonly day: string;
  readonly dayTokens: number;
  readonly calls: number;
  readonly repairs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Reads the record; damaged or missing fields are 0. */
export function readUsage(values: { readonly [key: string]: Json }): MetapromptUsage {
  const record = object(values[KEYS.metapromptUsage]);
  const day = record['day'];
  return {
    day: typeof day === 'string' ? day : '',
    dayTokens: count(record['dayTokens']),
    calls: count(record['calls']),
    repairs: count(record['repairs']),
    inputTokens: count(record['inputTokens']),
    outputTokens: count(record['outputTokens']),
  };
}

/** Adds a run to the record; on a new day the day's figure starts again. */
export function addUsage(
  usage: MetapromptUsage,
  run: { readonly calls: number; readonly inputTokens: number; readonly outputTokens: number },
  atMs: number,
): MetapromptUsage {
  const day = dayOf(atMs);
  const tokens = run.inputTokens + run.outputTokens;
  return {
    day,
    dayTokens: (usage.day === day ? usage.dayTokens : 0) + tokens,
    calls: usage.calls + run.calls,
    repairs: usage.repairs + Math.max(0, run.calls - 1),
    inputTokens: usage.inputTokens + run.inputTokens,
    outputTokens: usage.outputTokens + run.outputTokens,
  };
}

/** Tokens that are left of the day's share at that time. */
export function tokensLeft(usage: MetapromptUsage, dailyTokens: number, atMs: number): number {
  return dailyTokens - (usage.day === dayOf(atMs) ? usage.dayTokens : 0);
}

/** Price of a model, in US dollars per million tokens. */
export interface TokenPrices {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

/** What one run costs at most. */
export interface CostEstimate {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; absent without prices. */
  readonly usd?: number | undefined;
}

/** Characters that a filled template adds at most: conversation, evidence and the schema. */
const FILLED_CHARS = 6000;

/**
 * The most that one run can use, before anything is asked: the template, a full conversation window, and a reply of the
 * allowed length. A repair call can double it.
 *
 * @param prompt - The filled prompt, when there is one already; then the input is estimated from it.
 */
export function estimateCost(
  definition: MetaPromptDefinition,
  { prompt, prices }: { prompt?: string | undefined; prices?: TokenPrices | undefined } = {},
): CostEstimate {
  const inputTokens =
    prompt === undefined ? estimateTextTokens(templateOf(definition)) + Math.ceil(FILLED_CHARS / 4) : estimateTextTokens(prompt);
  const outputTokens = definition.maxOutputTokens ?? MAX_OUTPUT_TOKENS;
  return { inputTokens, outputTokens, ...(prices && { usd: priceOf({ inputTokens, outputTokens }, prices) }) };
}

/** US dollars for so many tokens. */
export function priceOf(tokens: { readonly inputTokens: number; readonly outputTokens: number }, prices: TokenPrices): number {
  return (tokens.inputTokens * prices.inputPerMillion + tokens.outputTokens * prices.outputPerMillion) / 1_000_000;
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
