import { InvalidArgumentError, type SentimentTrackingConfig } from '@x/core';

/** Milliseconds to wait for an analyser that calls a model; ours. */
export const ANALYSER_TIMEOUT_MS = 10_000;

/** {@link SentimentTrackingConfig} with every default filled in. */
export interface TrackingConfig {
  readonly enabled: boolean;
  readonly method: SentimentTrackingConfig['method'];
  readonly modelId: string | undefined;
  readonly providerId: string | undefined;
  readonly historyWindow: number;
  readonly frustrationThreshold: number;
  readonly satisfactionThreshold: number;
  readonly consecutiveTurnsForTrigger: number;
  readonly cooldownTurns: number;
  /** The seed's event table to the letter. */
  readonly seedTable: boolean;
}

/**
 * Fills the defaults of a tracking configuration and checks its ranges.
 *
 * @throws {@link InvalidArgumentError} an unknown method, a threshold outside its half of -1 to 1, a count below 1, a window below 0.
 * @remarks The seed's table raises an event on every turn that meets it; so under it there is a cooldown only when
 * `cooldownTurns` is given.
 */
export function resolveTracking(config: SentimentTrackingConfig): TrackingConfig {
  const seedTable = config.compat === true || config.method === 'lexicon_based';
  return {
    enabled: config.enabled ?? false,
    method: knownMethod(config.method) ?? (seedTable ? 'lexicon_based' : undefined),
    modelId: config.modelId,
    providerId: config.providerId,
    historyWindow: whole('historyWindow', config.historyWindow ?? 10, 0),
    frustrationThreshold: within('frustrationThreshold', config.frustrationThreshold ?? -0.3, -1, 0),
    satisfactionThreshold: within('satisfactionThreshold', config.satisfactionThreshold ?? 0.3, 0, 1),
    consecutiveTurnsForTrigger: whole('consecutiveTurnsForTrigger', config.consecutiveTurnsForTrigger ?? 2, 1),
    cooldownTurns: whole('cooldownTurns', config.cooldownTurns ?? (seedTable ? 0 : 10), 0),
    seedTable,
  };
}

const METHODS: readonly string[] = ['lexicon_based', 'trained_classifier', 'llm'];

function knownMethod(method: SentimentTrackingConfig['method']): SentimentTrackingConfig['method'] {
  if (method === undefined || METHODS.includes(method)) return method;
  throw new InvalidArgumentError(`sentimentTracking.method must be one of ${METHODS.join(', ')}. Correct the persona.`);
}

function within(name: string, value: number, low: number, high: number): number {
  if (!(value >= low && value <= high)) {
    throw new InvalidArgumentError(`sentimentTracking.${name} must be between ${low} and ${high}, got ${value}. Correct the persona.`);
  }
  return value;
}

function whole(name: string, value: number, least: number): number {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new InvalidArgumentError(`sentimentTracking.${name} must be a whole number from ${least}, got ${value}. Correct the persona.`);
  }
  return value;
}
