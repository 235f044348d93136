import { type Clock, FenceStaleError, type IAgentStore, type LaneScope, laneKey, systemClock, toStoredJson } from '@x/core';
import { StoreClosedError } from '../errors.js';
import { checkAtMs } from './check-time.js';
import { fencedStore } from './fenced-store.js';
import { createLocalLanes, type QueuedTurn } from './local-lanes.js';
import { createLocalSteps } from './local-steps.js';
import { journalStep } from './step-journal.js';
import type { Delivery, EngineEvent, RunningEngine, TurnHandler, TurnRequest } from './turn-engine.js';

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

/** How many ids of turns are remembered to tell a second one; the store knows the committed ones for ever. */
const REMEMBERED = 100_000;

/**
 * Carries turns inside one process: strict order per lane, leases, journaled steps, timed turns. What waits is lost with
 * the process; what was committed is the store's.
 */
export function createLocalEngine(options: LocalEngineOptions): RunningEngine {
  const { store, handle, clock = systemClock, workers = 16, turnTimeoutMs = 900_000 } = options;
  const { maxAttempts = 5, retryDelayMs = 500, onBlocked = 'release' } = options;
  const known = new Set<string>();
  const timers = new Map<string, () => void>();
  const steps = createLocalSteps();
  let closed = false;

  const tell = (event: EngineEvent): void => {
    try {
      options.onEvent?.(event);
    } catch {
      // A listener's fault is the listener's: the lanes go on.
    }
  };
  const lanes = createLocalLanes({
    clock,
    workers,
    turnTimeoutMs,
    maxAttempts,
    retryDelayMs,
    onBlocked,
    tell,
    takeToken: async ({ queue, scope }, count) => (queue === 'turns' && store.takeFence ? store.takeFence(scope) : count),
    run: (delivery) => handle(delivery, engine),
    ended: (turn) => steps.forget(turn),
  });
  const stale = (delivery: Delivery): FenceStaleError =>
    new FenceStaleError({ lane: delivery.lane, fence: delivery.token, seen: delivery.token + 1 });

  const enqueue = ({ scope, id, input, queue = 'turns' }: TurnRequest): boolean => {
    const turn: QueuedTurn = { scope, id, input: toStoredJson(input), queue, lane: laneKey(scope) };
    const name = `${queue} ${turn.lane} ${id}`;
    if (known.has(name)) return false;
    known.add(name);
    if (known.size > REMEMBERED) for (const oldest of known) if (known.delete(oldest)) break;
    lanes.add(turn);
    return true;
  };

  const engine: RunningEngine = {
    async enqueueTurn(turn) {
      // What waits here goes with the process: it would be accepted and never run.
      if (closed) throw new StoreClosedError();
      return { accepted: enqueue(turn) };
    },
    async schedule({ key, atMs, turn }) {
      checkAtMs(atMs);
      if (closed) throw new StoreClosedError();
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
      return lanes.cancel({ queue: what.queue ?? 'turns', lane: laneKey(what.scope), id: what.id });
    },
    async fence(delivery) {
      return {
        token: delivery.token,
        store: fencedStore({
          store,
          lane: delivery.lane,
          token: delivery.token,
          storeKnowsTokens: store.takeFence !== undefined && delivery.queue === 'turns',
          current: () => (lanes.holds(delivery) ? delivery.token : delivery.token + 1),
        }),
        async check() {
          if (!lanes.holds(delivery)) throw stale(delivery);
        },
      };
    },
    journalStep(delivery, step, run) {
      const table = steps.tableOf(
        delivery,
        () => lanes.holds(delivery),
        () => stale(delivery),
      );
      return journalStep(table, { lane: delivery.lane, turn: delivery.id, token: delivery.token, step }, run, () => stale(delivery));
    },
    listBlocked: async () => lanes.blocked(),
    async close({ timeoutMs = 30_000 } = {}) {
      closed = true;
      for (const stop of timers.values()) stop();
      timers.clear();
      await lanes.close(timeoutMs);
    },
  };
  return engine;
}
