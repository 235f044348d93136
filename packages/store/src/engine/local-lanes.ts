import { type Clock, isAgentosError } from '@x/core';
import { LeaseOverError, TurnCancelledError } from './engine-errors.js';
import type { Blocked, Delivery, EngineEvent, EngineQueue, TurnRequest } from './turn-engine.js';

/** A turn in its lane. */
export type QueuedTurn = TurnRequest & { readonly queue: EngineQueue; readonly lane: string };

export interface LocalLanesOptions {
  readonly clock: Clock;
  readonly workers: number;
  readonly turnTimeoutMs: number;
  readonly maxAttempts: number;
  readonly retryDelayMs: number;
  readonly onBlocked: 'release' | 'hold';
  readonly tell: (event: EngineEvent) => void;
  /** The number of a delivery's lease. `count` grows with every delivery of this process. */
  readonly takeToken: (turn: QueuedTurn, count: number) => Promise<number>;
  readonly run: (delivery: Delivery) => Promise<void>;
  /** Called when a turn has its outcome. */
  readonly ended: (turn: QueuedTurn) => void;
}

/** Decides which turn runs when: one at a time per lane, in order, so many lanes at once. */
export interface LocalLanes {
  /** Puts a turn at the end of its lane. */
  add(turn: QueuedTurn): void;
  /** Takes a turn back, also while it runs or blocks its lane; false when it is not there. */
  cancel(turn: Pick<QueuedTurn, 'queue' | 'lane' | 'id'>): boolean;
  /** True while the delivery's lease holds. */
  holds(delivery: Delivery): boolean;
  blocked(): readonly Blocked[];
  /** Starts nothing more, waits for what runs, and aborts it when the time is over. */
  close(timeoutMs: number): Promise<void>;
}

interface Running {
  readonly turn: QueuedTurn;
  readonly attempt: number;
  readonly count: number;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

interface Lane {
  readonly name: string;
  /** The first one is the one that runs or blocks. */
  readonly waiting: QueuedTurn[];
  attempts: number;
  running: Running | undefined;
  blocked: boolean;
}

export function createLocalLanes(options: LocalLanesOptions): LocalLanes {
  const { clock, workers, turnTimeoutMs, maxAttempts, retryDelayMs, onBlocked, tell, takeToken, run, ended } = options;
  const lanes = new Map<string, Lane>();
  const ready = new Set<Lane>();
  /** Which delivery a signal belongs to: deliveries are handed out as plain data. */
  const owners = new WeakMap<AbortSignal, { readonly lane: Lane; readonly running: Running }>();
  let deliveries = 0;
  let busy = 0;
  let closed = false;

  const nameOf = ({ queue, lane }: Pick<QueuedTurn, 'queue' | 'lane'>): string => `${queue} ${lane}`;
  const about = ({ queue, lane, id }: QueuedTurn) => ({ queue, lane, id });

  /** Lets a lane take its next turn as soon as there is room. */
  const wake = (lane: Lane): void => {
    if (lane.running || lane.blocked) return;
    if (lane.waiting.length > 0) ready.add(lane);
    else lanes.delete(lane.name);
    for (const next of ready) {
      if (closed || busy >= workers) return;
      ready.delete(next);
      const turn = next.waiting[0];
      if (turn && !next.running && !next.blocked) start(next, turn);
    }
  };

  const start = (lane: Lane, turn: QueuedTurn): void => {
    busy += 1;
    lane.attempts += 1;
    deliveries += 1;
    const done = Promise.resolve().then(() => deliver(lane, running));
    const running: Running = { turn, attempt: lane.attempts, count: deliveries, controller: new AbortController(), done };
    lane.running = running;
    owners.set(running.controller.signal, { lane, running });
  };

  /** Ends the delivery once; whatever of it still runs is over. */
  const release = (lane: Lane, running: Running): boolean => {
    if (lane.running !== running) return false;
    lane.running = undefined;
    busy -= 1;
    return true;
  };
  const finish = (lane: Lane): void => {
    const turn = lane.waiting.shift();
    lane.attempts = 0;
    lane.blocked = false;
    if (turn) ended(turn);
  };
  const giveUp = (lane: Lane, turn: QueuedTurn, attempt: number): void => {
    if (onBlocked === 'release') {
      finish(lane);
      tell({ type: 'turn_failed', ...about(turn), attempt, code: 'attempts_exhausted' });
    } else {
      lane.blocked = true;
      tell({ type: 'lane_blocked', ...about(turn), attempts: attempt });
    }
  };

  const lapse = (lane: Lane, running: Running): void => {
    if (!release(lane, running)) return;
    running.controller.abort(new LeaseOverError(running.turn.lane));
    if (running.attempt >= maxAttempts) giveUp(lane, running.turn, running.attempt);
    else tell({ type: 'turn_retried', ...about(running.turn), attempt: running.attempt });
    wake(lane);
  };

  const deliver = async (lane: Lane, running: Running): Promise<void> => {
    const { turn, attempt, controller } = running;
    const stopTimer = clock.setTimeout(() => lapse(lane, running), turnTimeoutMs);
    let failure: { readonly error: unknown } | undefined;
    try {
      const token = await takeToken(turn, running.count);
      await run({ ...turn, attempt, token, signal: controller.signal });
    } catch (error) {
      failure = { error };
    }
    stopTimer();
    if (lane.running !== running) {
      tell({ type: 'turn_superseded', ...about(turn), attempt });
      return;
    }
    const passing = failure !== undefined && isAgentosError(failure.error) && failure.error.retryable && attempt < maxAttempts;
    if (passing) {
      tell({ type: 'turn_retried', ...about(turn), attempt });
      await new Promise<void>((done) => void clock.setTimeout(done, retryDelayMs * 2 ** (attempt - 1)));
      release(lane, running);
    } else if (release(lane, running)) {
      finish(lane);
      if (failure) tell({ type: 'turn_failed', ...about(turn), attempt, code: codeOf(failure.error), error: failure.error });
      else tell({ type: 'turn_done', ...about(turn), attempt });
    }
    wake(lane);
  };

  return {
    add(turn) {
      const name = nameOf(turn);
      const lane = lanes.get(name) ?? { name, waiting: [], attempts: 0, running: undefined, blocked: false };
      lanes.set(name, lane);
      lane.waiting.push(turn);
      wake(lane);
    },
    cancel(turn) {
      const lane = lanes.get(nameOf(turn));
      const index = lane?.waiting.findIndex(({ id }) => id === turn.id) ?? -1;
      if (!lane || index < 0) return false;
      if (index > 0) lane.waiting.splice(index, 1);
      else {
        const { running } = lane;
        if (running && release(lane, running)) running.controller.abort(new TurnCancelledError(running.turn.lane));
        finish(lane);
      }
      wake(lane);
      return true;
    },
    holds({ signal }) {
      const found = owners.get(signal);
      return found !== undefined && found.lane.running === found.running;
    },
    blocked: () =>
      [...lanes.values()].flatMap(({ blocked, waiting, attempts }): Blocked[] => {
        const turn = waiting[0];
        return blocked && turn ? [{ ...about(turn), attempts }] : [];
      }),
    async close(timeoutMs) {
      closed = true;
      const running = [...lanes.values()].flatMap((lane) => lane.running ?? []);
      let stopTimer = (): void => {};
      const late = new Promise<void>((done) => {
        stopTimer = clock.setTimeout(done, timeoutMs);
      });
      await Promise.race([Promise.all(running.map(({ done }) => done)), late]);
      stopTimer();
      for (const lane of lanes.values()) lane.running?.controller.abort(new TurnCancelledError(lane.running.turn.lane));
    },
  };
}

function codeOf(error: unknown): string {
  return isAgentosError(error) ? error.code : 'unknown';
}
