export { type AppliedBatch, appliedBatches, type UndoneBatch, undoBatch } from './applied-batches.js';
export type { FailureReason } from './ask-model.js';
export { BatchUnknownError, MetapromptsClosedError, MetapromptUnknownError } from './errors.js';
export { type CostEstimate, type EstimateCostOptions, estimateCost, type TokenPrices } from './estimate-cost.js';
export { fillTemplate } from './fill-template.js';
export type { HostCallbacks } from './host-callbacks.js';
export type { HostTalk } from './host-turn.js';
export { memoryLane } from './memory-lane.js';
export { type MetapromptIssue, mergeMetapromptPresets, normalizePersonaDefinition, presetIssues } from './merge-presets.js';
export {
  MetapromptExecutor,
  type MetapromptExecutorOptions,
  type MetapromptExecutorOptions as MetapromptExecutorConfig,
  SHUTDOWN_MS,
  type TriggerOptions,
} from './metaprompt-executor.js';
export { METAPROMPT_HOOK, type MetapromptHookOptions, metapromptHook } from './metaprompt-hook.js';
export { decayMood, MOOD_DECAY_MS, MOOD_DECAY_TURNS } from './mood-decay.js';
export { type JsonSchema, type StrategyField, type UpdatesSchemaOptions, updatesSchema } from './output-schema.js';
export { getPresetMetaprompt, isPresetMetaprompt, METAPROMPT_PRESETS, SELF_REFLECTION_ID } from './presets.js';
export { type ReadUpdates, type ReadUpdatesOptions, type Refusal, readUpdates } from './read-updates.js';
export type { Speaker, SpokenItem } from './speaker.js';
export { EVENT_COOLDOWN_TURNS } from './triggers.js';
export { DAILY_TOKENS, type MetapromptUsage, readUsage } from './usage.js';
export { type Evidence, type EvidenceLimits, VARIABLE_NAMES, variableOf } from './variables.js';
