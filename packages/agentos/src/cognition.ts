import { type IPersonaDefinition, PRESET_NAMES } from '@x/core';
import { ConfigurationError } from './errors.js';

/** What of the adaptive loop an agent runs. */
export interface CognitionConfig {
  /** Default: true when `metaprompts` names any. */
  readonly sentiment?: boolean | undefined;
  /** Short names of presets, or `all`; without sentiment they are off. */
  readonly metaprompts?: readonly string[] | undefined;
}

/** `light`: neither sentiment nor metaprompts. `full`: sentiment and all presets. */
export type Cognition = 'light' | 'full' | CognitionConfig;

/**
 * The part of a persona that a cognition stands for.
 *
 * @throws `configuration_invalid` for an unknown profile or preset.
 */
export function sentimentOf(cognition: Cognition = 'light'): Pick<IPersonaDefinition, 'sentimentTracking'> {
  if (cognition === 'light') return {};
  if (cognition === 'full') return { sentimentTracking: { enabled: true, presets: ['all'] } };
  if (typeof cognition !== 'object' || cognition === null || Array.isArray(cognition))
    throw new ConfigurationError(`There is no cognition "${String(cognition)}". Use light, full, or { sentiment, metaprompts }.`);
  const { metaprompts = [], sentiment = metaprompts.length > 0 } = cognition;
  if (!Array.isArray(metaprompts)) throw new ConfigurationError('cognition.metaprompts must be a list of names of presets.');
  const known: readonly string[] = [...PRESET_NAMES, 'all'];
  const unknown = metaprompts.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new ConfigurationError(`There is no preset "${unknown}". Known: ${known.join(', ')}.`);
  return sentiment ? { sentimentTracking: { enabled: true, presets: metaprompts } } : {};
}
