import {
  type AgentState,
  type Batch,
  type BatchWork,
  type Clock,
  createId,
  type Logged,
  logOperations,
  type Random,
  type ResolveModel,
  raceAbort,
  type TraceEntry,
} from '@x/core';
import { followSignal, settledWithin } from './abort.js';
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
  stop(reason: unknown): void;
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
  let last: Promise<void> = Promise.resolve();

  const runOne = async (batch: Batch, owner: BatchOwner, entry: HookEntry): Promise<void> => {
    const trace = (line: Pick<TraceEntry, 'type' | 'message' | 'details'>): void =>
      owner.trace({ ...line, turn: batch.turn, atMs: clock.now() });
    const { controller, release } = followSignal(stopped.signal);
    const limitMs = owner.batchTimeoutMs;
    const late = new TurnTimeoutError({ what: `background work of ${entry.name}`, limitMs, option: 'batchTimeoutMs' });
    const cancel = clock.setTimeout(() => controller.abort(late), limitMs);
    const operations: Logged[] = [];
    let open = true;
    const checkOpen = (): void => {
      if (!open) throw new TurnOverError(batch.turn);
    };
    try {
      const { state, history } = await lane.load(owner.conversation);
      let now: AgentState = state;
      const work: BatchWork = {
        history,
        resolveModel: owner.resolveModel,
        signal: controller.signal,
        atMs: clock.now(),
        get state() {
          return now;
        },
        get traceLog() {
          return owner.traceLog();
        },
        apply(operation, why) {
          checkOpen();
          const cause = { by: entry.name, why, turn: batch.turn, atMs: clock.now() };
          const { state: next, logged } = logOperations(now, [operation], cause, () => createId('op', random));
          now = next;
          operations.push(...logged);
          const { from, to } = logged.at(-1)!;
          if (!('put' in operation) && !('unset' in operation))
            trace({
              type: 'STATE_CHANGE',
              message: `${entry.name} changed the state`,
              details: { from, to, why },
            });
        },
        trace(line) {
          checkOpen();
          trace(line);
        },
      };
      await raceAbort(Promise.resolve(entry.hook.runBatch?.(batch, work)), controller.signal);
    } catch (error) {
      if (stopped.signal.aborted) return;
      operations.length = 0;
      trace({ type: 'ERROR', message: `background work of ${entry.name} failed`, details: { problem: faultText(error), batch: batch.id } });
    } finally {
      open = false;
      cancel();
      release();
    }
    const gone = new TurnOverError(batch.turn);
    try {
      await lane.commit({
        turn: `batch:${batch.id}`,
        conversation: owner.conversation,
        operations: [...operations],
        batches: { done: [batch.id] },
        // A lane that was erased meanwhile must not get back what was learned from it.
        check: ({ batches }) => {
          if (!batches.some(({ id }) => id === batch.id)) throw gone;
        },
      });
    } catch (error) {
      if (error !== gone) throw error;
      trace({ type: 'DEBUG', message: `background work of ${entry.name} is not wanted any more`, details: { batch: batch.id } });
    }
  };

  return {
    add(batches, owner) {
      for (const batch of batches) {
        const entry = owner.hooks.find(({ name, hook }) => name === batch.by && hook.runBatch);
        if (!entry || taken.has(batch.id) || stopped.signal.aborted) continue;
        taken.add(batch.id);
        last = last
          .then(() => (stopped.signal.aborted ? undefined : runOne(batch, owner, entry)))
          .catch((error) => {
            const details = { problem: faultText(error), batch: batch.id };
            owner.trace({ type: 'ERROR', message: 'background work was not committed', turn: batch.turn, atMs: clock.now(), details });
          })
          .finally(() => taken.delete(batch.id));
      }
    },
    async drain(timeoutMs) {
      const until = clock.now() + timeoutMs;
      for (;;) {
        const seen = last;
        if (!(await settledWithin(seen, until - clock.now(), clock))) return false;
        if (seen === last) return true;
      }
    },
    stop(reason) {
      stopped.abort(reason);
    },
  };
}
