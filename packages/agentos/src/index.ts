// The one star: the file behind it is written by a script and lists every name.

export {
  extractJson,
  JsonExtractError,
  PersonaInvalidError,
  type PersonaIssue,
  type PersonaValidation,
  parsePersona,
  type ValidatePersonaOptions,
  validatePersona,
  validatePersonas,
} from '@x/core/schema';
export { type Agency, type AgencyConfig, type AgencyResult, agency, type Strategy } from './agency.js';
export { type AgentConfig, type AgentSession, agent, type GmiAgent } from './agent.js';
export { AgentOS, type AgentOSOptions, type ProcessRequest } from './agentos.js';
export { agents } from './agents.js';
export {
  type AgentOSResponse,
  AgentOSResponseChunkType,
  type ChunkBase,
  isActionableToolCallRequestChunk,
  isToolCallRequestChunk,
  type MetadataUpdates,
  type PrefixFigures,
  type TurnUsage,
} from './chunks.js';
export type { Cognition, CognitionConfig } from './cognition.js';
export { type ClientOptions, createClient } from './create-client.js';
export { DirectoryAgent, type DirectoryAgentOptions, directoryAgent } from './directory-agent.js';
export {
  ConfigurationError,
  PersonaUnknownError,
  ProviderUnknownError,
  ReplyAbandonedError,
  ShutDownError,
} from './errors.js';
export { GMI, type GMIOptions, type GMIOptions as GMIBaseConfig, type GMIPhase } from './gmi.js';
export { type GmiFromDirOptions, gmiFromDir } from './gmi-from-dir.js';
export { type Endpoint, modelOf } from './model-of.js';
export { type FeatureOptions, personaFeatures } from './persona-features.js';
export type { EmergentConfig } from './personality-options.js';
export { type PlacedLine, placedLines, promptLines } from './placed-lines.js';
export { createPrefixMeter } from './prefix-meter.js';
export { costOf, type Price, type Prices, SEED_PRICES } from './prices.js';
export * from './re-exports.js';
export { type RebuiltStep, type RebuiltTurn, rebuildTurn, TurnNotJournaledError } from './rebuild-turn.js';
export type { ReplyStream } from './reply-stream.js';
export { createResolver, DEFAULT_MODEL_ID, type ResolverOptions } from './resolve-model.js';
export {
  type AgentRunOptions as SeedAgentRunOptions,
  type AgentRuntimeOptions,
  type ModelChoice,
  SeedAgent,
  seedAgent,
} from './seed-agent.js';
export { shareMemory } from './share-memory.js';
export { createSharedLanes } from './shared-lanes.js';
export { type StartAgentOptions, type StartedAgent, startAgent } from './start-agent.js';
export type { Run } from './start-run.js';
export { type Cause as PromptCause, why } from './why.js';
export { withFallback } from './with-fallback.js';
