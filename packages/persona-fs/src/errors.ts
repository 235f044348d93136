import { AgentosError } from '@x/core';

/** The directory of a persona is not there, or is not a directory. */
export class PersonaDirError extends AgentosError {
  override readonly name = 'PersonaDirError';
  readonly code = 'persona_dir_missing';
  readonly retryable = false;
  constructor(problem: string, options?: { cause?: unknown }) {
    super(`The persona's directory ${problem}. Create it, or correct the path.`, options);
  }
}

/** A file that is a whole persona cannot be read. */
export class PersonaFileError extends AgentosError {
  override readonly name = 'PersonaFileError';
  readonly code = 'persona_file_invalid';
  readonly retryable = false;
  readonly file: string;
  constructor({ file, problem, cause }: { file: string; problem: string; cause?: unknown }) {
    super(`${file}: ${problem}`, { cause });
    this.file = file;
  }
}

/** A path inside a persona's directory is a link, leads out, or is not an ordinary file. Nothing was written. */
export class MemoryPathError extends AgentosError {
  override readonly name = 'MemoryPathError';
  readonly code = 'memory_path_unsafe';
  readonly retryable = false;
  /** The name inside the directory. */
  readonly file: string;
  constructor({ file, problem }: { file: string; problem: string }) {
    super(`${file}: ${problem} Nothing was written.`);
    this.file = file;
  }
}

/** Another process kept the directory's lock for longer than `lockTimeoutMs`. Nothing was written. */
export class MemoryBusyError extends AgentosError {
  override readonly name = 'MemoryBusyError';
  readonly code = 'memory_busy';
  readonly retryable = true;
  constructor(problem: string) {
    super(`The notes are in use: ${problem}. Nothing was written; try again.`);
  }
}

/** The file would grow beyond its size budget. Nothing was written. */
export class MemoryFullError extends AgentosError {
  override readonly name = 'MemoryFullError';
  readonly code = 'memory_full';
  readonly retryable = false;
  readonly file: string;
  readonly freeBytes: number;
  readonly neededBytes: number;
  /** The entries that take most room, largest first: what to shorten. */
  readonly largest: readonly { readonly text: string; readonly sizeBytes: number }[];
  constructor({ file, freeBytes, neededBytes, largest }: Pick<MemoryFullError, 'file' | 'freeBytes' | 'neededBytes' | 'largest'>) {
    super(`${file} is full: ${freeBytes} bytes are free and this needs ${neededBytes}. Remove or shorten entries first.`);
    this.file = file;
    this.freeBytes = freeBytes;
    this.neededBytes = neededBytes;
    this.largest = largest;
  }
}

/** The file is there but cannot be read as text. It was left as it is. */
export class MemoryUnreadableError extends AgentosError {
  override readonly name = 'MemoryUnreadableError';
  readonly code = 'memory_file_unreadable';
  readonly retryable = false;
  readonly file: string;
  constructor({ file, problem, cause }: { file: string; problem: string; cause?: unknown }) {
    super(`${file}: ${problem} It was left as it is.`, { cause });
    this.file = file;
  }
}

/** The disk refused. The old file stands. */
export class MemoryWriteError extends AgentosError {
  override readonly name = 'MemoryWriteError';
  readonly code = 'memory_write_failed';
  readonly retryable = true;
  constructor({ file, cause }: { file: string; cause: unknown }) {
    super(`${file} could not be written (${(cause as NodeJS.ErrnoException)?.code ?? 'unknown'}). The old file stands.`, { cause });
  }
}

/** What should be undone or promoted is no longer there as it was. Nothing was written. */
export class MemoryConflictError extends AgentosError {
  override readonly name = 'MemoryConflictError';
  readonly code = 'memory_conflict';
  readonly retryable = false;
}

/** Somebody who does not own the persona asked for what only its owner may do. */
export class NotOwnerError extends AgentosError {
  override readonly name = 'NotOwnerError';
  readonly code = 'not_owner';
  readonly retryable = false;
}
