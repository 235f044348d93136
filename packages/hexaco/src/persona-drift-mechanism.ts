import { InvalidArgumentError, type TraitName } from '@x/core';
import { OPERATOR_ONLY, readTraits } from './traits.js';

/** A user turn that was scored. */
export interface ScoredTurn {
  /** -1 unpleasant to 1 pleasant. */
  readonly valence: number;
  /** 0 calm to 1 excited. */
  readonly arousal: number;
  /** The turn's id. */
  readonly turn: string;
  readonly atMs: number;
}

export interface PersonaDriftConfig {
  /** Default false. */
  readonly enabled?: boolean | undefined;
  /** Cycles between two analyses; default 5. */
  readonly analysisInterval?: number | undefined;
  /** Fewer scored turns than this say nothing; default 10. */
  readonly minTracesForAnalysis?: number | undefined;
  /** Largest change of a trait in one analysis, 0 to 1; default 0.05. */
  readonly maxDeltaPerCycle?: number | undefined;
  /** Lets excited turns count for more; default true. */
  readonly emotionalWeighting?: boolean | undefined;
}

/** How things stand between persona and user, each -100 to 100; from a host that keeps such figures. */
export interface Relationship {
  readonly trust?: number | undefined;
  readonly tension?: number | undefined;
  readonly affection?: number | undefined;
  readonly respect?: number | undefined;
}

/** What was seen before, so that one change of weather does not turn a character round. */
export type DriftTrend = { readonly [K in TraitName]?: { readonly direction: 1 | -1; readonly agreeing: number } };

export interface DriftProposal {
  readonly trait: TraitName;
  /** Signed, to three decimals; never 0. */
  readonly delta: number;
  /** 0 to 1, growing with the number of scored turns. */
  readonly confidence: number;
  readonly reasoning: string;
  readonly traceCount: number;
  /** Turns that show the pattern most clearly, at most ten, in order of time. */
  readonly evidence: readonly string[];
}

/** Share of turns (or of a relationship's scale) that a pattern must exceed. */
const CLEAR = 0.3;
/** The same for a pattern that points the other way than the last one did. Ours. */
const CLEAR_AGAINST_TREND = 0.5;
/** Turns at which confidence is full. */
const FULL_EVIDENCE = 50;
const MAX_PROPOSALS = 2;

interface Signal {
  readonly trait: TraitName;
  readonly direction: 1 | -1;
  /** Share of turns or of a scale that shows it; has to be clear. */
  readonly clarity: number;
  /** Share of the largest step. */
  readonly strength: number;
  readonly label: string;
  readonly shows: (trace: ScoredTurn) => boolean;
}

/**
 * Reads slow tendencies from many scored turns and proposes small changes of traits. Heuristic, without a model.
 *
 * Unpleasant and excited turns lower agreeableness, pleasant and lively ones raise extraversion, calm and even ones
 * raise conscientiousness. Honesty and emotionality are never proposed.
 */
export class PersonaDriftMechanism {
  readonly #config: Required<{ readonly [K in keyof PersonaDriftConfig]: NonNullable<PersonaDriftConfig[K]> }>;

  /** @throws {@link InvalidArgumentError} a figure outside its range. */
  constructor(config?: PersonaDriftConfig) {
    const {
      enabled = false,
      analysisInterval = 5,
      minTracesForAnalysis = 10,
      maxDeltaPerCycle = 0.05,
      emotionalWeighting = true,
    } = config ?? {};
    if (!(Number.isInteger(analysisInterval) && analysisInterval >= 1))
      throw new InvalidArgumentError('analysisInterval is a whole number from 1.');
    if (!(Number.isInteger(minTracesForAnalysis) && minTracesForAnalysis >= 1))
      throw new InvalidArgumentError('minTracesForAnalysis is a whole number from 1.');
    if (!(maxDeltaPerCycle > 0 && maxDeltaPerCycle <= 1)) throw new InvalidArgumentError('maxDeltaPerCycle is above 0 and at most 1.');
    this.#config = { enabled, analysisInterval, minTracesForAnalysis, maxDeltaPerCycle, emotionalWeighting };
  }

  get enabled(): boolean {
    return this.#config.enabled;
  }

  /** Cycles between two analyses. */
  get analysisInterval(): number {
    return this.#config.analysisInterval;
  }

  /**
   * Proposes at most two changes, of two different traits, the larger first.
   *
   * @param traces - Those whose figures are out of range are left out.
   * @param traits - The traits as they are; missing ones are 0.5.
   * @returns An empty list when disabled, when there is too little evidence, and when nothing is clear.
   * @remarks confidence = min(1, 0.3 + 0.7 n / 50); delta = ± signal × `maxDeltaPerCycle` × confidence. Ours: the step
   * shrinks in the half of the scale next to a bound, grows by a half with each analysis that agrees, and a turn-round
   * needs a share above 0.5.
   */
  analyzePersonaDrift(
    traces: readonly ScoredTurn[],
    traits: { readonly [trait: string]: number },
    { relationship = {}, trend = {} }: { readonly relationship?: Relationship | undefined; readonly trend?: DriftTrend | undefined } = {},
  ): readonly DriftProposal[] {
    const { enabled, minTracesForAnalysis } = this.#config;
    const usable = traces.filter(({ valence, arousal }) => Math.abs(valence) <= 1 && arousal >= 0 && arousal <= 1);
    if (!enabled || usable.length < minTracesForAnalysis) return [];
    const confidence = Math.min(1, 0.3 + (usable.length / FULL_EVIDENCE) * 0.7);
    const scores = readTraits(traits).traits;
    return this.#signals(usable, relationship)
      .filter(({ trait }) => !OPERATOR_ONLY.includes(trait))
      .filter(({ trait, direction, clarity }) => clarity > (trend[trait]?.direction === -direction ? CLEAR_AGAINST_TREND : CLEAR))
      .flatMap((signal) => {
        const delta = this.#step(signal, scores[signal.trait], confidence, trend);
        if (delta === 0) return [];
        const percent = Math.round(Math.min(1, signal.clarity) * 100);
        const reasoning = `${signal.label} (${percent} % of ${usable.length} scored turns)`;
        return [{ trait: signal.trait, delta, confidence, reasoning, traceCount: usable.length, evidence: clearest(usable, signal) }];
      })
      .sort((a, b) => Math.abs(b.delta) - Math.abs(a.delta))
      .slice(0, MAX_PROPOSALS);
  }

  #signals(traces: readonly ScoredTurn[], { trust = 0, tension = 0, affection = 0, respect = 0 }: Relationship): readonly Signal[] {
    const weightOf = ({ arousal }: ScoredTurn): number => (this.#config.emotionalWeighting ? 0.5 + arousal : 1);
    const total = traces.reduce((sum, trace) => sum + weightOf(trace), 0);
    const share = (shows: Signal['shows']): number => traces.filter(shows).reduce((sum, trace) => sum + weightOf(trace), 0) / total;
    const hostile = ({ valence, arousal }: ScoredTurn): boolean => valence < -0.3 && arousal > 0.4;
    const lively = ({ valence, arousal }: ScoredTurn): boolean => valence > 0.3 && arousal > 0.3;
    const even = ({ valence, arousal }: ScoredTurn): boolean => Math.abs(valence) < 0.3 && arousal < 0.3;
    const strained = (trust < -10 ? (Math.abs(trust) / 100) * 0.5 : 0) + (tension > 10 ? (tension / 100) * 0.3 : 0);
    const fond = affection > 10 ? (affection / 100) * 0.3 : 0;
    const angry = share(hostile) + strained;
    const glad = share(lively) + fond;
    const calm = share(even);
    const esteem = respect > 15 ? respect / 100 : 0;
    return [
      { trait: 'agreeableness', direction: -1, clarity: angry, strength: angry, label: 'unpleasant, excited turns', shows: hostile },
      { trait: 'extraversion', direction: 1, clarity: glad, strength: glad, label: 'pleasant, lively turns', shows: lively },
      esteem > calm * 0.5
        ? { trait: 'conscientiousness', direction: 1, clarity: 1, strength: esteem, label: 'respect of the user', shows: even }
        : { trait: 'conscientiousness', direction: 1, clarity: calm, strength: calm * 0.5, label: 'calm, even turns', shows: even },
    ];
  }

  #step({ trait, direction, strength }: Signal, score: number, confidence: number, trend: DriftTrend): number {
    const { maxDeltaPerCycle } = this.#config;
    const known = trend[trait];
    const agreeing = known?.direction === direction ? known.agreeing : 0;
    const room = direction > 0 ? 1 - score : score;
    const wish = Math.min(1, strength) * maxDeltaPerCycle * confidence * (1 + 0.5 * agreeing);
    const size = Math.min(wish, maxDeltaPerCycle, room) * Math.min(1, 2 * room);
    return (direction * Math.floor(size * 1000 + 0.5)) / 1000;
  }
}

function clearest(traces: readonly ScoredTurn[], { shows }: Signal): readonly string[] {
  return traces
    .filter(shows)
    .sort((a, b) => Math.abs(b.valence) + b.arousal - Math.abs(a.valence) - a.arousal)
    .slice(0, 10)
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ turn }) => turn);
}
