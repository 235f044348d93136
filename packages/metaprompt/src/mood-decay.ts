import { GMIMood, type Json, jsonObject, KEYS, type MoodAdaptation, type Operation, parseMood } from '@x/core';
import { count } from './read-affect.js';
import { TURNS_KEY } from './usage.js';

/** User turns for which a mood holds that nothing renews. Ours. */
export const MOOD_DECAY_TURNS = 8;
/** Milliseconds for which it holds: six hours. Ours. */
export const MOOD_DECAY_MS = 6 * 60 * 60_000;

/** The `why` of a mood that fell back. */
export const MOOD_FADED = 'nothing renewed the mood';

/** What is kept under `gmi_mood_since` when a metaprompt names a mood. */
export function moodSinceOf(mood: string, turns: Json | undefined, atMs: number): Json {
  return { mood, turn: count(turns), atMs };
}

/**
 * The operations by which a mood that nothing renewed falls back to the persona's own.
 *
 * @param turn - Number of the user turn that is about to start, from 1.
 * @returns An empty list while the mood holds, and for a mood that no metaprompt set: a host's word stays.
 */
export function decayMood(
  state: { readonly mood: string; readonly values: { readonly [key: string]: Json } },
  { turn, atMs }: { readonly turn: number; readonly atMs: number },
  { defaultMood, decayTurns = MOOD_DECAY_TURNS, decayMs = MOOD_DECAY_MS }: MoodAdaptation = {},
): readonly Operation[] {
  const home = parseMood(defaultMood) ?? GMIMood.NEUTRAL;
  const since = jsonObject(state.values[KEYS.moodSince]);
  if (state.mood === home || since['mood'] !== state.mood || typeof since['atMs'] !== 'number') return [];
  const overTurns = turn - count(since['turn']) > decayTurns;
  const overTime = atMs - since['atMs'] >= decayMs;
  return overTurns || overTime ? [{ set: 'mood', to: home }, { unset: KEYS.moodSince }] : [];
}

/** Number of the user turn that is running or about to start, from 1. */
export function nextTurn(values: { readonly [key: string]: Json }): number {
  return count(values[TURNS_KEY]) + 1;
}
