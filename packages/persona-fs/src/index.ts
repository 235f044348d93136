export { BOOTSTRAP_ORDER, type BootstrapFile, HEARTBEAT_OK, MAX_FILE_BYTES, type MemoryTarget, TRUNCATION_NOTICE } from './bootstrap.js';
export { type ComposedSoul, type ComposeOptions, composeSoul } from './compose-soul.js';
export { PersonaDirError } from './errors.js';
export { type FromDirOptions, fromDir, type PersonaAgent } from './from-dir.js';
export { loadPersona } from './load-persona.js';
export { type MemoryTool, type MemoryToolResult, memoryTool } from './memory-tool.js';
export type { PersonaProblem } from './problems.js';
