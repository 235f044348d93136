export type { DurableStore, ForgetScope, StoreEvent } from '../durable-store.js';
export type { Schedule, ScheduleRow } from '../schedule.js';
export type { PgClient, PgPool, Query } from './client.js';
export type { PostgresLane } from './open-lane.js';
export { type PostgresStore, type PostgresStoreOptions, postgresStore } from './postgres-store.js';
