import { type Json, jsonObject, KEYS } from '@x/core';
import { count } from './read-affect.js';

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
  const record = jsonObject(values[KEYS.metapromptUsage]);
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

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
