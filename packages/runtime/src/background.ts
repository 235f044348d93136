import { type Batch, type Clock, type Logged, type Random, type ResolveModel, raceAbort, type TraceEntry } from '@x/core';
import { followSignal, settledWithin } from './abort.js';
import { BatchView } from './batch-view.js';
import { TurnOverError, TurnTimeoutError } from './errors.js';
import { faultText, type HookEntry } from './hook-list.js';
import type { LaneState } from './lane-state.js';

/** Whose batches these are: a session lends its hooks, its conversation and its trace. */
export interface BatchOwner {
  readonly conversation: string;
  readonly hooks: readonly HookEntry[];
  readonly resolveModel: ResolveModel;
  readonly batchTimeoutMs: number;
  readonly traceLog: () => readonly TraceEntry[];
  trace(entry: TraceEntry): void;
}

/** The background work of one lane: one batch at a time, in the order of the commits. */
export interface Background {
  /** Takes batches whose hook the owner has and that were not taken yet. */
  add(batches: readonly Batch[], owner: BatchOwner): void;
  /** True when all is done within the time. */
  drain(timeoutMs: number): Promise<boolean>;
  /** Aborts what runs; it stays pending in the store and is run when the lane is opened again. */
  stop(reason: () => unknown): void;
}

export function createBackground({
  lane,
  clock,
  random,
}: {
  readonly lane: LaneState;
  readonly clock: Clock;
  readonly random: Random;
}): Background {
  const taken = new Set<string>();
  const stopped = new AbortController();
  let isStopped = false;
  let last: Promise<void> = Promise.resolve();

  const runOne = async (batch: Batch, owner: BatchOwner, entry: HookEntry): Promise<void> => {
    const trace = (line: Pick<TraceEntry, 'type' | 'message' | 'details'>): void =>
      owner.trace({ ...line, turn: batch.turn, atMs: clock.now() });
    const { controller, release } = followSignal(stopped.signal);
    const limitMs = owner.batchTimeoutMs;
    const stopLate = (): void =>
      controller.abort(new TurnTimeoutError({ what: `background work of ${entry.name}`, limitMs, option: 'batchTimeoutMs' }));
    const cancel = clock.setTimeout(stopLate, limitMs);
    let operations: readonly Logged[] = [];
    let work: BatchView | undefined;
    try {
      const { state, history } = await lane.load(owner.conversation);
      const { resolveModel, traceLog } = owner;
      const { signal } = controller;
      work = new BatchView({ batch, by: entry.name, state, history, resolveModel, traceLog, trace, signal, clock, random });
      await raceAbort(Promise.resolve(entry.hook.runBatch?.(batch, work)), signal);
      operations = work.close();
    } catch (error) {
      if (stopped.signal.aborted) return;
      trace({ type: 'ERROR', message: `background work of ${entry.name} failed`, details: { problem: faultText(error), batch: batch.id } });
    } finally {
      work?.close();
      cancel();
      release();
    }
    let gone: TurnOverError | undefined;
    try {
      await lane.commit({
        turn: `batch:${batch.id}`,
        conversation: owner.conversation,
        operations,
        batches: { done: [batch.id] },
        // A lane that was erased meanwhile must not get back what was learned from it.
        check: ({ batches }) => {
          if (batches.some(({ id }) => id === batch.id)) return;
          gone = new TurnOverError(batch.turn);
          throw gone;
        },
      });
    } catch (error) {
      if (gone === undefined || error !== gone) throw error;
      trace({ type: 'DEBUG', message: `background work of ${entry.name} is not wanted any more`, details: { batch: batch.id } });
    }
  };

  return {
    add(batches, owner) {
      for (const batch of batches) {
        const entry = owner.hooks.find(({ name, hook }) => name === batch.by && hook.runBatch);
        if (!entry || taken.has(batch.id) || isStopped) continue;
        taken.add(batch.id);
        last = last
          .then(() => (isStopped ? undefined : runOne(batch, owner, entry)))
          .catch((error) => {
            const details = { problem: faultText(error), batch: batch.id };
            owner.trace({ type: 'ERROR', message: 'background work was not committed', turn: batch.turn, atMs: clock.now(), details });
          })
          .finally(() => taken.delete(batch.id));
      }
    },
    async drain(timeoutMs) {
      const until = clock.now() + timeoutMs;
      while (taken.size > 0) {
        const seen = last;
        if (!(await settledWithin(seen, until - clock.now(), clock))) return false;
        if (seen === last) return true;
      }
      return true;
    },
    stop(reason) {
      isStopped = true;
      if (taken.size > 0) stopped.abort(reason()); // an idle lane, of which a service closes many, has nothing to stop
    },
  };
}
