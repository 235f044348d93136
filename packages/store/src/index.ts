export type { DurableStore, ForgetScope, StoreEvent } from './durable-store.js';
export { EngineTooOldError, LeaseOverError, StepChangedError, TurnCancelledError } from './engine/engine-errors.js';
export { journaledModel, journaledTools, OUTCOME_UNKNOWN } from './engine/journaled.js';
export { createLocalEngine, type LocalEngineOptions } from './engine/local-engine.js';
export type {
  Blocked,
  Delivery,
  EngineEvent,
  EngineQueue,
  Fence,
  RunningEngine,
  Step,
  StepOutcome,
  TurnEngine,
  TurnHandler,
  TurnRequest,
} from './engine/turn-engine.js';
export {
  StoreBusyError,
  StoreClosedError,
  StoreCorruptError,
  StoreDriverMissingError,
  StoreFailedError,
  StoreVersionError,
} from './errors.js';
export type { Schedule, ScheduleRow } from './schedule.js';
