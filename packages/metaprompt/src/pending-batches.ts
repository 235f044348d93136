import type { Batch, LaneStore, Logged, Snapshot, TraceEntry, TurnHook } from '@x/core';
import type { CollectedChanges } from './collect-changes.js';
import { commitFresh } from './commit-fresh.js';
import { METAPROMPT_HOOK } from './metaprompt-hook.js';

type Entry = Pick<TraceEntry, 'type' | 'message' | 'details'>;

export interface PendingBatchesOptions {
  readonly lane: LaneStore;
  readonly conversation: string;
  /** Stops the work; what was not done stays pending. */
  readonly signal: AbortSignal;
  /** Runs one batch on the lane as it is; must not commit. */
  readonly runBatch: (batch: Batch, now: Snapshot, changes: CollectedChanges) => ReturnType<NonNullable<TurnHook['runBatch']>>;
  readonly collect: (now: Snapshot, batch: Batch) => CollectedChanges;
  /** Must not throw, as the next one. */
  readonly trace: (turn: string, entry: Entry) => void;
  readonly committed: (logged: readonly Logged[]) => void;
}

/** The batches of metaprompts that wait in a lane, run in the background, one at a time, in the order of their turns. */
export interface PendingBatches {
  /** Starts on what is pending, once what runs now has ended. */
  run(): void;
  /** Never rejects. */
  settled(): Promise<void>;
}

export function createPendingBatches(options: PendingBatchesOptions): PendingBatches {
  const { signal, trace } = options;
  let last: Promise<void> = Promise.resolve();
  return {
    run() {
      last = last
        .then(() => runAll(options))
        .catch((error: unknown) => {
          if (signal.aborted) return;
          const message = 'Background work stopped; it is tried again after the next turn.';
          trace('background', { type: 'ERROR', message, details: { error: nameOf(error) } });
        });
    },
    settled: () => last,
  };
}

async function runAll({ lane, conversation, signal, runBatch, collect, trace, committed }: PendingBatchesOptions): Promise<void> {
  while (!signal.aborted) {
    const now = await lane.load(conversation);
    const batch = now.batches.find((one) => one.by === METAPROMPT_HOOK);
    if (!batch) return;
    const changes = collect(now, batch);
    try {
      await runBatch(batch, now, changes);
    } catch (error) {
      signal.throwIfAborted();
      const details = { batch: batch.id, error: nameOf(error) };
      trace(batch.turn, { type: 'ERROR', message: 'A batch of metaprompts failed and is dropped.', details });
      changes.operations.length = 0;
    }
    signal.throwIfAborted();
    const batches = { add: [], done: [batch.id] };
    committed((await commitFresh(lane, conversation, batch.id, () => ({ operations: changes.operations, batches }))) ?? []);
  }
}

/** The code or the name of an error, never its message. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? ((error as { code?: unknown }).code?.toString() ?? error.name) : typeof error;
}
