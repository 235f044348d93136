export { type PgBossEngine, type PgBossEngineOptions, pgBossEngine } from './pg-boss-engine.js';
