import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** Commits after which the log is moved into the file: some 1,000 of the pages at which a commit would do it itself. */
const COMMITS = 100;

// Text, so that it runs the same from both module systems and from every bundle.
const MOVE = `
const { parentPort, workerData: { driver, moved } } = require('node:worker_threads');
const Database = require(driver);
parentPort.on('message', (path) => {
  let database;
  try {
    database = new Database(path, { fileMustExist: true });
    database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
  } catch {
  } finally {
    database?.close();
    Atomics.add(moved, 0, 1);
    parentPort.postMessage('moved');
  }
});`;

/**
 * Moves what stands in the write-ahead log of a database into its file, in a thread beside this one: a commit that does it
 * itself waits for the disk, and with it all else in the process. Where it cannot (no threads) nothing
 * fails, and commits do it as the connection's own setting says.
 */
export interface LogMover {
  /** Counts a commit, and has the log moved once there were enough. */
  committed(): void;
  /** Waits until nothing is being moved. */
  calm(): Promise<void>;
  /** Waits until nothing is being moved, then lets the thread go. */
  close(): Promise<void>;
}

export function createLogMover(path: string, every = COMMITS): LogMover {
  let commits = 0;
  let thread: Thread | undefined;
  let isClosed = false;
  return {
    committed() {
      commits += 1;
      if (commits < every || isClosed) return;
      thread ??= takeThread();
      if (thread?.move(path) !== false) commits = 0;
    },
    async calm() {
      await shared?.thread.calm(); // another store may have the same file
    },
    async close() {
      isClosed = true;
      const used = thread;
      thread = undefined;
      await used?.calm();
      await used?.leave();
    },
  };
}

interface Thread {
  /** @returns False while it is at work; then it is asked again at the next commit. */
  move(path: string): boolean;
  /** Resolves when it has nothing to do; never rejects, since what could not be moved stays in the log. */
  calm(): Promise<void>;
  leave(): Promise<void>;
}

/** One for all stores of the process, for as long as one of them uses it. */
let shared: { readonly thread: Thread; users: number } | undefined;
let isImpossible = false;

function takeThread(): Thread | undefined {
  if (isImpossible) return undefined;
  try {
    shared ??= { thread: startThread(), users: 0 };
  } catch {
    isImpossible = true;
    return undefined;
  }
  shared.users += 1;
  return shared.thread;
}

function startThread(): Thread {
  // The very driver that the stores use: two copies of SQLite in one process would undo each other's locks.
  const driver = createRequire(typeof __filename === 'string' ? __filename : import.meta.url).resolve('better-sqlite3');
  // Shared memory and not messages: a program whose turns follow one another without a pause reads no message for long.
  const moved = new Int32Array(new SharedArrayBuffer(4));
  const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 32 };
  const worker = new Worker(MOVE, { eval: true, workerData: { driver, moved }, env: {}, execArgv: [], resourceLimits });
  let asked = 0;
  let isOver = false;
  let waiting: (() => void)[] = [];
  const isCalm = (): boolean => isOver || Atomics.load(moved, 0) === asked;
  const tellAll = (): void => {
    for (const done of waiting) done();
    waiting = [];
  };
  const look = (): void => {
    if (!isCalm()) return;
    worker.unref();
    tellAll();
  };
  worker.unref();
  worker.on('message', look);
  worker.on('error', () => {
    isImpossible = true;
  });
  worker.on('exit', () => {
    isOver = true;
    if (shared?.thread === thread) shared = undefined;
    tellAll();
  });
  const thread: Thread = {
    move(path) {
      if (isOver) return true;
      if (!isCalm()) return false;
      asked += 1;
      worker.ref(); // who waits for it must not see the process end
      worker.postMessage(path);
      return true;
    },
    calm: () => (isCalm() ? Promise.resolve() : new Promise((done) => waiting.push(done))),
    async leave() {
      if (shared?.thread !== thread) return;
      shared.users -= 1;
      if (shared.users > 0) return;
      shared = undefined;
      // Messages that nobody read yet would let a program end here that waits for nothing but this.
      worker.off('message', look);
      worker.ref();
      await worker.terminate();
    },
  };
  return thread;
}
