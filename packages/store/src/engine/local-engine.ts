import { type Clock, FenceStaleError, type IAgentStore, isAgentosError, type LaneScope, laneKey, systemClock, toStoredJson } from '@x/core';
import { LeaseOverError, TurnCancelledError } from './engine-errors.js';
import { fencedStore } from './fenced-store.js';
import { journalStep, type StepRecord, type StepTable } from './step-journal.js';
import type { Blocked, Delivery, EngineEvent, EngineQueue, RunningEngine, TurnHandler, TurnRequest } from './turn-engine.js';

export interface LocalEngineOptions {
  readonly store: IAgentStore & { takeFence?(scope: LaneScope): Promise<number> };
  readonly handle: TurnHandler;
  readonly clock?: Clock | undefined;
  /** Lanes that may run at the same time; default 16. */
  readonly workers?: number | undefined;
  /** Milliseconds until a delivery's lease is over and the turn is delivered anew; default 900,000. */
  readonly turnTimeoutMs?: number | undefined;
  /** How often a turn is tried; default 5. */
  readonly maxAttempts?: number | undefined;
  /** Milliseconds before the second attempt after a failure that may pass, doubled each time; default 500. */
  readonly retryDelayMs?: number | undefined;
  /** A turn whose attempts are used up: `release` (default) lets its lane go on, `hold` keeps it until the turn is cancelled. */
  readonly onBlocked?: 'release' | 'hold' | undefined;
  readonly onEvent?: ((event: EngineEvent) => void) | undefined;
}

type Turn = TurnRequest & { readonly queue: EngineQueue; readonly lane: string };

interface Running {
  readonly turn: Turn;
  readonly attempt: number;
  readonly token: number;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

interface Lane {
  readonly name: string;
  /** The first one is the one that runs or blocks. */
  readonly waiting: Turn[];
  attempts: number;
  running: Running | undefined;
  blocked: boolean;
}

/** How many ids of turns are remembered to tell a second one; the store knows the committed ones for ever. */
const REMEMBERED = 100_000;

/**
 * Carries turns inside one process: strict order per lane, leases, journaled steps, timed turns. What waits is lost with
 * the process; what was committed is the store's.
 */
export function createLocalEngine(options: LocalEngineOptions): RunningEngine {
  const { store, handle, clock = systemClock, workers = 16, turnTimeoutMs = 900_000 } = options;
  const { maxAttempts = 5, retryDelayMs = 500, onBlocked = 'release' } = options;
  const lanes = new Map<string, Lane>();
  const known = new Set<string>();
  const timers = new Map<string, () => void>();
  const steps = new Map<string, Map<string, StepRecord>>();
  const ready = new Set<Lane>();
  let deliveries = 0;
  let busy = 0;
  let closed = false;

  const tell = (event: EngineEvent): void => {
    try {
      options.onEvent?.(event);
    } catch {
      // A listener's fault is the listener's: the lanes go on.
    }
  };
  const nameOf = (queue: EngineQueue, lane: string): string => `${queue} ${lane}`;
  const laneOf = (queue: EngineQueue, lane: string): Lane => {
    const name = nameOf(queue, lane);
    const found = lanes.get(name) ?? { name, waiting: [], attempts: 0, running: undefined, blocked: false };
    lanes.set(name, found);
    return found;
  };
  const about = ({ queue, lane, id }: Turn) => ({ queue, lane, id });

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

  const start = (lane: Lane, turn: Turn): void => {
    busy += 1;
    lane.attempts += 1;
    deliveries += 1;
    const done = Promise.resolve().then(() => deliver(lane, running));
    const running: Running = { turn, attempt: lane.attempts, token: deliveries, controller: new AbortController(), done };
    lane.running = running;
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
    if (turn) steps.delete(`${lane.name} ${turn.id}`);
  };
  const giveUp = (lane: Lane, turn: Turn, attempt: number): void => {
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
      const token = turn.queue === 'turns' && store.takeFence ? await store.takeFence(turn.scope) : running.token;
      tokens.set(running.controller.signal, { lane, running });
      await handle({ ...turn, attempt, token, signal: controller.signal }, engine);
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

  /** Which delivery a signal belongs to: deliveries are handed out as plain data. */
  const tokens = new WeakMap<AbortSignal, { readonly lane: Lane; readonly running: Running }>();
  const holds = (delivery: Delivery): boolean => {
    const found = tokens.get(delivery.signal);
    return found !== undefined && found.lane.running === found.running;
  };
  const stale = (delivery: Delivery): FenceStaleError =>
    new FenceStaleError({ lane: delivery.lane, fence: delivery.token, seen: delivery.token + 1 });

  const tableOf = (delivery: Delivery): StepTable => {
    const name = `${nameOf(delivery.queue, delivery.lane)} ${delivery.id}`;
    const records = steps.get(name) ?? new Map<string, StepRecord>();
    const check = (): void => {
      if (!holds(delivery)) throw stale(delivery);
    };
    return {
      async begin({ id }, request) {
        check();
        steps.set(name, records);
        const before = records.get(id);
        if (!before) records.set(id, { token: delivery.token, state: 'begun', request, result: undefined });
        return before;
      },
      async change({ id }, from, to) {
        const record = records.get(id);
        if (!holds(delivery) || record?.token !== from) return false;
        records.set(id, { ...record, ...to });
        return true;
      },
      async remove({ id }) {
        if (holds(delivery)) records.delete(id);
      },
    };
  };

  const enqueue = ({ scope, id, input, queue = 'turns' }: TurnRequest): boolean => {
    const turn: Turn = { scope, id, input: toStoredJson(input), queue, lane: laneKey(scope) };
    const name = `${nameOf(queue, turn.lane)} ${id}`;
    if (known.has(name)) return false;
    known.add(name);
    if (known.size > REMEMBERED) for (const oldest of known) if (known.delete(oldest)) break;
    const lane = laneOf(queue, turn.lane);
    lane.waiting.push(turn);
    wake(lane);
    return true;
  };

  const engine: RunningEngine = {
    async enqueueTurn(turn) {
      return { accepted: enqueue(turn) };
    },
    async schedule({ key, atMs, turn }) {
      timers.get(key)?.();
      const stop = clock.setTimeout(
        () => {
          timers.delete(key);
          enqueue(turn);
        },
        Math.max(0, atMs - clock.now()),
      );
      timers.set(key, stop);
    },
    async cancel(what) {
      if ('key' in what) {
        timers.get(what.key)?.();
        return timers.delete(what.key);
      }
      const lane = lanes.get(nameOf(what.queue ?? 'turns', laneKey(what.scope)));
      const index = lane?.waiting.findIndex(({ id }) => id === what.id) ?? -1;
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
    async fence(delivery) {
      return {
        token: delivery.token,
        store: fencedStore({
          store,
          lane: delivery.lane,
          token: delivery.token,
          storeKnowsTokens: store.takeFence !== undefined && delivery.queue === 'turns',
          current: () => (holds(delivery) ? delivery.token : delivery.token + 1),
        }),
        async check() {
          if (!holds(delivery)) throw stale(delivery);
        },
      };
    },
    journalStep: (delivery, step, run) =>
      journalStep(tableOf(delivery), { lane: delivery.lane, turn: delivery.id, token: delivery.token, step }, run, () => stale(delivery)),
    async listBlocked() {
      return [...lanes.values()].flatMap(({ blocked, waiting, attempts }): Blocked[] => {
        const turn = waiting[0];
        return blocked && turn ? [{ ...about(turn), attempts }] : [];
      });
    },
    async close({ timeoutMs = 30_000 } = {}) {
      closed = true;
      for (const stop of timers.values()) stop();
      timers.clear();
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
  return engine;
}

function codeOf(error: unknown): string {
  return isAgentosError(error) ? error.code : 'unknown';
}
