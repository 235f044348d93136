import { InvalidArgumentError, type Json } from '@x/core';
import type { TurnReading } from './turn-reading.js';

/** How a person has felt lately, as numbers; kept under `gmi_affect`. */
export interface AffectState {
  /** -1 unpleasant to 1 pleasant. */
  readonly valence: number;
  /** 0 calm to 1 excited. */
  readonly arousal: number;
  /** The score of the newest turn, -1 to 1; `null` when unknown. */
  readonly score: number | null;
  /** Milliseconds since 1970 at that turn. */
  readonly atMs: number;
}

/** Half a mood is gone after an hour; ours. */
export const DEFAULT_HALF_LIFE_MS = 3_600_000;
/** How much a fully confident reading counts against the mood before it; ours. */
const NEW_SHARE = 0.6;

/**
 * Fades a mood toward neutral and calm while nothing new is said.
 *
 * @param halfLifeMs - Milliseconds until half is left; above 0, `Infinity` for no decay.
 * @returns The mood at `nowMs`; a clock that went back changes nothing.
 * @throws {@link InvalidArgumentError} `halfLifeMs` is not above 0.
 * @remarks Axes from Russell (1980), doi:10.1037/h0077714. The exponential is ours: two short waits equal one long wait.
 */
export function decayAffect(state: AffectState, nowMs: number, halfLifeMs: number = DEFAULT_HALF_LIFE_MS): AffectState {
  if (!(halfLifeMs > 0)) throw new InvalidArgumentError(`halfLifeMs must be above 0, got ${halfLifeMs}`);
  const left = 2 ** (-Math.max(0, nowMs - state.atMs) / halfLifeMs);
  return { ...state, valence: state.valence * left, arousal: state.arousal * left, atMs: Math.max(nowMs, state.atMs) };
}

/** Mixes a new reading into the decayed mood, by its confidence. An unknown reading only lets time pass. */
export function mixAffect(before: AffectState | undefined, reading: TurnReading, atMs: number, halfLifeMs?: number): AffectState {
  const old = before === undefined ? { valence: 0, arousal: 0, score: null, atMs } : decayAffect(before, atMs, halfLifeMs);
  if (reading.score === null) return { ...old, score: null };
  const share = before === undefined ? 1 : NEW_SHARE * reading.confidence;
  const arousal = reading.arousal ?? reading.intensity;
  return {
    valence: old.valence + share * (reading.score - old.valence),
    arousal: old.arousal + share * (arousal - old.arousal),
    score: reading.score,
    atMs: old.atMs,
  };
}

/** Reads a stored mood; `undefined` when there is none. */
export function readAffect(value: Json | undefined): AffectState | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { valence, arousal, score, atMs } = value as { readonly [key: string]: Json };
  if (typeof valence !== 'number' || typeof arousal !== 'number' || typeof atMs !== 'number') return undefined;
  return { valence, arousal, score: typeof score === 'number' ? score : null, atMs };
}
