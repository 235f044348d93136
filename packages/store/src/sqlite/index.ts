export type { DurableStore, ForgetScope, StoreEvent } from '../durable-store.js';
export type { Schedule, ScheduleRow } from '../schedule.js';
export { loadBetterSqlite, loadNodeSqlite, type OpenDatabase, type SqliteDatabase, type SqliteStatement, type SqlValue } from './driver.js';
export { type SqliteStoreOptions, sqliteStore } from './sqlite-store.js';
