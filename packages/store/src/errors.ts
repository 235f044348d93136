import { AgentosError } from '@x/core';

/** The database was locked by another writer for longer than the time-out. Nothing was written; try again. */
export class StoreBusyError extends AgentosError {
  override readonly name = 'StoreBusyError';
  readonly code = 'store_busy';
  readonly retryable = true;
  constructor({ waitedMs, cause }: { waitedMs: number; cause?: unknown }) {
    super(`The database stayed locked for ${waitedMs} ms. Try again, or raise busyTimeoutMs.`, { cause });
  }
}

/**
 * A database file cannot be read. It was renamed, never overwritten; until somebody restores a copy or accepts the
 * loss, the store does not open.
 */
export class StoreCorruptError extends AgentosError {
  override readonly name = 'StoreCorruptError';
  readonly code = 'store_corrupt';
  readonly retryable = false;
  /** Where the database should be. */
  readonly path: string;
  /** Where the unreadable file is now; `undefined` when it could not be renamed and still stands at `path`. */
  readonly setAside: string | undefined;
  constructor({ path, setAside, cause }: { path: string; setAside?: string | undefined; cause?: unknown }) {
    super(
      `${path} cannot be read${setAside === undefined ? '' : ` and was kept as ${setAside}`}. ` +
        "Put a good copy at the path, or open with onCorrupt: 'empty' to begin anew.",
      { cause },
    );
    this.path = path;
    this.setAside = setAside;
  }
}

/** The store was closed; open another. */
export class StoreClosedError extends AgentosError {
  override readonly name = 'StoreClosedError';
  readonly code = 'store_closed';
  readonly retryable = false;
  constructor() {
    super('The store is closed. Make another one to go on.');
  }
}

/** An optional driver is not installed. */
export class StoreDriverMissingError extends AgentosError {
  override readonly name = 'StoreDriverMissingError';
  readonly code = 'store_driver_missing';
  readonly retryable = false;
  constructor({ driver, install, cause }: { driver: string; install: string; cause?: unknown }) {
    super(`${driver} could not be loaded. Run: ${install}`, { cause });
  }
}

/** The database was written by a newer version of this package, which knows more than this one. */
export class StoreVersionError extends AgentosError {
  override readonly name = 'StoreVersionError';
  readonly code = 'store_version_unsupported';
  readonly retryable = false;
  constructor({ found, known }: { found: number; known: number }) {
    super(`The database has schema ${found}; this package knows up to ${known}. Update @x/store; nothing was changed.`);
  }
}

/** A write or read failed in the database or below it: disk full, connection lost, permission. */
export class StoreFailedError extends AgentosError {
  override readonly name = 'StoreFailedError';
  readonly code = 'store_failed';
  readonly retryable: boolean;
  /** The code of the driver or the system, such as `SQLITE_FULL`, `EACCES` or `57P01`. */
  readonly driverCode: string | undefined;
  /** True when the connection was lost before the answer came: the commit may have happened. The same turn may be committed again. */
  readonly outcomeUnknown: boolean;
  constructor(options: { driverCode?: string | undefined; retryable: boolean; outcomeUnknown?: boolean | undefined; cause?: unknown }) {
    const { driverCode, retryable, outcomeUnknown = false, cause } = options;
    super(
      `The database failed${driverCode === undefined ? '' : ` with ${driverCode}`}. ` +
        (outcomeUnknown ? 'Whether the commit happened is unknown; committing the same turn again is safe.' : 'Nothing was written.'),
      { cause },
    );
    this.driverCode = driverCode;
    this.retryable = retryable;
    this.outcomeUnknown = outcomeUnknown;
  }
}
