import type { Json, TraitName } from '@x/core';
import type { DriftProposal, DriftTrend, ScoredTurn } from './persona-drift-mechanism.js';
import { HEXACO_TRAITS } from './traits.js';

/** What drift remembers of a lane; kept under `gmi_drift`, plain JSON. */
export interface DriftRecord {
  /** Scored turns since the last analysis, oldest first. */
  readonly traces: readonly ScoredTurn[];
  /** Of these, the turns of the cycle that is not yet full. */
  readonly inCycle: number;
  /** Full cycles since the last analysis. */
  readonly cycles: number;
  readonly trend: DriftTrend;
  /** True while the alarm holds: nothing is learned. */
  readonly paused: boolean;
  /** Of the last analysis. */
  readonly proposals: readonly DriftProposal[];
  readonly analysedAtMs: number | null;
}

export const EMPTY_DRIFT: DriftRecord = { traces: [], inCycle: 0, cycles: 0, trend: {}, paused: false, proposals: [], analysedAtMs: null };

/** Reads a stored record; fields that are missing or damaged start anew, damaged entries of a list leave it. */
export function readDriftRecord(value: Json | undefined): DriftRecord {
  if (!isRecord(value)) return EMPTY_DRIFT;
  return {
    traces: list(value['traces']).filter(isScoredTurn),
    inCycle: whole(value['inCycle']),
    cycles: whole(value['cycles']),
    trend: readTrend(value['trend']),
    paused: value['paused'] === true,
    proposals: list(value['proposals']).filter(isProposal),
    analysedAtMs: finite(value['analysedAtMs']) ? value['analysedAtMs'] : null,
  };
}

function readTrend(value: Json | undefined): DriftTrend {
  const trend: { [K in TraitName]?: { direction: 1 | -1; agreeing: number } } = {};
  for (const trait of HEXACO_TRAITS) {
    const entry = isRecord(value) ? value[trait] : undefined;
    if (!isRecord(entry)) continue;
    const direction = entry['direction'];
    if (direction === 1 || direction === -1) trend[trait] = { direction, agreeing: whole(entry['agreeing']) };
  }
  return trend;
}

function isScoredTurn(value: unknown): value is ScoredTurn {
  return (
    isRecord(value) && finite(value['valence']) && finite(value['arousal']) && finite(value['atMs']) && typeof value['turn'] === 'string'
  );
}

function isProposal(value: unknown): value is DriftProposal {
  return (
    isRecord(value) &&
    HEXACO_TRAITS.some((trait) => trait === value['trait']) &&
    finite(value['delta']) &&
    finite(value['confidence']) &&
    typeof value['reasoning'] === 'string' &&
    finite(value['traceCount']) &&
    Array.isArray(value['evidence'])
  );
}

const isRecord = (value: unknown): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: Json | undefined): readonly unknown[] => (Array.isArray(value) ? value : []);
const finite = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const whole = (value: Json | undefined): number => (typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0);
