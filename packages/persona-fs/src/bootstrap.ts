/** The files that make a persona's soul, in the order in which they are read: identity first, durable memory last. */
export const BOOTSTRAP_ORDER = ['AGENTS.md', 'SOUL.md', 'IDENTITY.md', 'USER.md', 'TOOLS.md', 'HEARTBEAT.md', 'MEMORY.md'] as const;
export type BootstrapFile = (typeof BOOTSTRAP_ORDER)[number];

/** Bytes of one file that reach the prompt; what is beyond is left out and the prompt says so. */
export const MAX_FILE_BYTES = 2_097_152;

/** Stands in the prompt where a file was cut. */
export const TRUNCATION_NOTICE = '\n[truncated: exceeds 2 MB bootstrap cap]';

/** What a beat answers when there is nothing to say. Means nothing outside beats. */
export const HEARTBEAT_OK = 'HEARTBEAT_OK';

/** The two files that the memory tool writes, by target. */
export const MEMORY_FILES = { self: 'MEMORY.md', user: 'USER.md' } as const;
export type MemoryTarget = keyof typeof MEMORY_FILES;

/** Files that are notes, not orders: framed in the prompt as data, and cut at their old end. */
export const isMemoryFile = (name: string): boolean => name === MEMORY_FILES.self || name === MEMORY_FILES.user;
