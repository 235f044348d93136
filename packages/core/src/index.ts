export { type Applied, applyCopies, applyOperation, inverseOperation, OperationRefusedError } from './apply-operation.js';
export { checkPattern, isPattern } from './check-pattern.js';
export { type Clock, createId, type Random, systemClock } from './clock.js';
export { commonLength } from './common-length.js';
export { agentStoreOf, ConversationStoreError, InMemoryConversationStore } from './conversation-store.js';
export { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from './create-memory-store.js';
export { createRequestLayout, type LaidOut } from './create-request-layout.js';
export { criteriaFaults, type ElementFault, type FaultOptions } from './criteria-faults.js';
export { elementFaults } from './element-faults.js';
export { AgentosError, InvalidArgumentError, isAgentosError } from './errors.js';
export { type CountTokens, estimateTextTokens } from './estimate-text-tokens.js';
export { type EstimateOptions, estimateMessageTokens, estimatePartTokens, estimateTokens, estimateToolTokens } from './estimate-tokens.js';
export type { GMIEvent } from './events.js';
export { fillTemplate } from './fill-template.js';
export { type Generated, generate, ModelStreamCutError } from './generate.js';
export { hashText } from './hash-text.js';
export { IMPRINT_LIMITS, imprintEntries } from './imprints.js';
export { isForbiddenKey, type Json, JsonValueError, toJson, toStoredJson } from './json.js';
export {
  type Block,
  joinStable,
  type Layout,
  nextBlocks,
  orderParts,
  type Parts,
  PLACEMENTS,
  type Placement,
  STABLE_ORDER,
  VOLATILE_ORDER,
} from './layout.js';
export { layoutMessages } from './layout-messages.js';
export { type Cause, LoggedState, logOperations, relogOperations } from './log-operations.js';
export { checkMemoryKey, InMemoryWorkingMemory, type IWorkingMemory } from './memory.js';
export { type MemorySource, memoryView } from './memory-view.js';
export {
  asTalk,
  type ChatMessage,
  type ContentPart,
  isMessageRole,
  type Origin,
  type Sender,
  type Stored,
  SUMMARY_OPENING,
  type ToolCall,
  textOf,
  toWire,
} from './messages.js';
export {
  type Capabilities,
  type Finish,
  type IChatModel,
  knownUsage,
  type ModelEvent,
  type ModelRequest,
  type ResolveModel,
  type Usage,
} from './model.js';
export { nearestWord } from './nearest-word.js';
export { isOfKind, type Logged, type Operation, type OperationKind } from './operations.js';
export type {
  ContextualPromptElement,
  ElementCriteria,
  HeartbeatConfig,
  IPersonaDefinition,
  MetaPromptDefinition,
  MetaPromptTrigger,
  MetapromptContext,
  MetapromptUpdates,
  MoodAdaptation,
  NumberRange,
  OneOrAny,
  ScaleRange,
  SentimentTrackingConfig,
  TextCriteria,
} from './persona.js';
export { findReasoningMarks, type ReasoningMark } from './reasoning-marks.js';
export { namesSecret, REDACTED, type Redacted, redactSecrets } from './redact-secrets.js';
export {
  answeredKey,
  cooldownKey,
  IMPRINT_PREFIX,
  imprintKey,
  isReservedKey,
  KEYS,
  manualTriggerKey,
  metapromptCallsKey,
  turnCounterKey,
} from './reserved-keys.js';
export { soundUntil } from './sound-until.js';
export { type AgentState, INITIAL_STATE, startState, type TaskContext, type UserContext } from './state.js';
export {
  type Commit,
  FenceStaleError,
  type IAgentStore,
  type IConversationStore,
  type LaneScope,
  type LaneStore,
  laneKey,
  type OperationsWanted,
  type Parked,
  RevisionConflictError,
  type Snapshot,
  sessionsPrefix,
} from './store.js';
export { type ObjectSchema, readToolSchema } from './tool-schema.js';
export {
  type Answer,
  type ITool,
  type PendingRequest,
  pending,
  pendingOf,
  resultOf,
  type ToolContext,
  type ToolResult,
  type ToolSpec,
} from './tools.js';
export { appendTrace, TRACE_ENTRIES, type TraceEntry } from './trace.js';
export type { Batch, BatchItem, BatchWork, CacheBreak, Change, LlmEvent, ToolEvent, Turn, TurnHook } from './turn.js';
export { answerTurnId, isStrangersTurn } from './turn-facts.js';
export type {
  ClassificationResult,
  ClassifyOptions,
  IUtilityAI,
  KeywordOptions,
  LanguageResult,
  NGramOptions,
  NormalizeOptions,
  ParseJsonOptions,
  ReadabilityOptions,
  ReadabilityResult,
  SentimentOptions,
  SentimentResult,
  SimilarityOptions,
  StemOptions,
  SummarizeOptions,
  TokenizeOptions,
  TrainingItem,
  TrainingResult,
} from './utility.js';
export { type MessageIssue, validateMessages } from './validate-messages.js';
export { checkFigures, freezeDeep, jsonObject, ownValue, plainName } from './values.js';
export {
  ContextualElementType,
  GMIEventType,
  GMIMood,
  PRESET_NAMES,
  parseMood,
  parseSkillLevel,
  parseTaskComplexity,
  SKILL_LEVELS,
  type SkillLevel,
  TASK_COMPLEXITIES,
  type TaskComplexity,
  TRAIT_NAMES,
  type TraitName,
} from './vocabulary.js';
export { DeadlineError, type DeadlineOptions, isPromiseLike, raceAbort, withDeadline } from './waiting.js';
