export { Agent, agent } from './agents/agent.js';
export { AgentRuntime } from './agents/agent-runtime.js';
export type {
  AgentBudget,
  AgentLimit,
  AgentResult,
  AgentRun,
  AgentRunOptions,
  AgentSpec,
  Handle,
  HandleDetails,
  HandleRow,
  HandleState,
  InboxItem,
  Post,
  RuntimeOptions,
  SpawnOptions,
  VerbResult,
  WakeOptions,
} from './agents/agent-types.js';
export type { Attempt, Completion, Verdict } from './agents/completion.js';
export type { Guardrail } from './agents/guardrails.js';
export type {
  AskOptions,
  Client,
  ClientEvent,
  ClientOptions,
  Conversation,
  RunOptions,
  RunResult,
  ToolSource,
} from './client-types.js';
export { createClient } from './create-client.js';
export { type BuiltinOptions, createToolkit, type ShellOptions, type Toolkit, type ToolkitOptions } from './create-toolkit.js';
export {
  AnswerMismatchError,
  AnswerUsedError,
  HookFailedError,
  HookResultInvalidError,
  LaneContendedError,
  ModelFailedError,
  NothingParkedError,
  OperationUnknownError,
  RequestInvalidError,
  SessionClosedError,
  ToolInvalidError,
  ToolMissingError,
  TranscriptConflictError,
  TurnIdUsedError,
  TurnOverError,
  TurnParkedError,
  TurnTimeoutError,
} from './errors.js';
export { type Lane, type OpenLaneOptions, openLane } from './open-lane.js';
export { type RunTurnEvent, type RunTurnOptions, runTurn } from './run-turn.js';
export type {
  Budgets,
  Limit,
  Meter,
  Metric,
  RunInput,
  RunUsage,
  Session,
  SessionOptions,
  StepEvent,
  ToolCallRecord,
  TurnEvent,
  TurnOutcome,
  TurnResult,
  WaitFor,
} from './session-types.js';
