import type { MetaPromptDefinition } from '@x/core';
import { instructionsFor, repairBytes } from './ask-model.js';
import { placeholdersOf, templateOf } from './fill-template.js';
import { EVIDENCE_RULE, schemaFor } from './output-schema.js';
import { MAX_OUTPUT_TOKENS } from './usage.js';
import { type EvidenceLimits, mostCharsOf } from './variables.js';

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

export interface EstimateCostOptions {
  /** The filled prompt, when there is one already; else the fullest that the limits allow is taken. */
  readonly prompt?: string | undefined;
  /** As given to the hook. */
  readonly limits?: EvidenceLimits | undefined;
  /** As given to the hook. */
  readonly imprintEvidence?: boolean | undefined;
  readonly prices?: TokenPrices | undefined;
}

/** A character of text, a UTF-16 unit, is at most three bytes of UTF-8. */
const BYTES_PER_CHAR = 3;
/** Roles and marks that a provider puts around messages and schema in one call. Ours, and ample. */
const CALL_TOKENS = 64;

/**
 * The most that one run can use, before anything is asked: instructions, schema and the fullest prompt, a reply of the
 * allowed length, and the one repair call, which says all of it again.
 *
 * A token stands for at least one byte of UTF-8, so bytes are a bound in every script and for every tokenizer. English
 * takes about a quarter of it.
 */
export function estimateCost(definition: MetaPromptDefinition, options: EstimateCostOptions = {}): CostEstimate {
  const { prompt, limits, imprintEvidence = false, prices } = options;
  const replyTokens = definition.maxOutputTokens ?? MAX_OUTPUT_TOKENS;
  const promptTokens = prompt === undefined ? fullestPrompt(templateOf(definition), limits) : bytesOf(prompt);
  const fixed = instructionsFor(schemaFor(definition, { imprintEvidence }), false) + (imprintEvidence ? `\n${EVIDENCE_RULE}` : '');
  const inputTokens = 2 * (CALL_TOKENS + bytesOf(fixed) + promptTokens) + repairBytes(replyTokens);
  const outputTokens = 2 * replyTokens;
  return { inputTokens, outputTokens, ...(prices && { usd: priceOf({ inputTokens, outputTokens }, prices) }) };
}

/** US dollars for so many tokens. */
export function priceOf(tokens: { readonly inputTokens: number; readonly outputTokens: number }, prices: TokenPrices): number {
  return (tokens.inputTokens * prices.inputPerMillion + tokens.outputTokens * prices.outputPerMillion) / 1_000_000;
}

function fullestPrompt(template: string, limits: EvidenceLimits | undefined): number {
  const filled = placeholdersOf(template).reduce((chars, name) => chars + mostCharsOf(name, limits), 0);
  return bytesOf(template) + filled * BYTES_PER_CHAR;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
