export type { DurableStore, ForgetScope, StoreEvent } from './durable-store.js';
export {
  StoreBusyError,
  StoreClosedError,
  StoreCorruptError,
  StoreDriverMissingError,
  StoreFailedError,
  StoreVersionError,
} from './errors.js';
export type { Schedule, ScheduleRow } from './schedule.js';
