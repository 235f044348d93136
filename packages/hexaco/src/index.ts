export {
  type AdaptPersonalityArguments,
  type AdaptPersonalityOptions,
  AdaptPersonalityTool,
  type AdaptRefusal,
  createAdaptPersonalityTool,
} from './adapt-personality-tool.js';
export { HEXACO_HOOK } from './cause.js';
export { decayDelta, HALF_LIFE_DAYS } from './decay-trait.js';
export { describeMovedTraits, describeTraits, NOTICEABLE_MOVE, TRAIT_LABELS } from './describe-traits.js';
export { DRIFT_HOOK, type DriftHook, type DriftHookOptions, type DriftTarget, driftHook } from './drift-hook.js';
export { type DriftRecord, readDriftRecord } from './drift-record.js';
export { type HexacoHookOptions, hexacoHook } from './hexaco-hook.js';
export {
  type DriftProposal,
  type DriftTrend,
  type PersonaDriftConfig,
  PersonaDriftMechanism,
  type Relationship,
  type ScoredTurn,
} from './persona-drift-mechanism.js';
export {
  MutationUnknownError,
  type PersonalityMutation,
  PersonalityMutationStore,
  type PersonalityMutationStoreOptions,
} from './personality-mutation-store.js';
export { type RadarAxis, radarData } from './radar-data.js';
export {
  type BudgetOptions,
  changeTrait,
  decayTraits,
  MAX_DELTA_PER_SESSION,
  planTraitChange,
  type TraitChange,
  type TraitTarget,
  usedBudget,
} from './trait-budget.js';
export type { TraitHost } from './trait-host.js';
export { LEVEL_TEXTS, LEVELS, levelOf, TRAIT_FACETS } from './trait-levels.js';
export { currentTraits, HEXACO_TRAITS, OPERATOR_ONLY, parseTraits, readTraits, type Traits, TraitsInvalidError } from './traits.js';
