import {
  appendTrace,
  type BatchItem,
  type Clock,
  createId,
  type GMIEvent,
  InvalidArgumentError,
  type IWorkingMemory,
  type LaneStore,
  type Logged,
  logOperations,
  type MetapromptUpdates,
  manualTriggerKey,
  type Operation,
  type Random,
  type Sender,
  type Snapshot,
  systemClock,
  type TraceEntry,
} from '@x/core';
import { allowedMoodsOf, WHY_CHARS } from './apply-outcome.js';
import { checkDefinitions } from './check-definitions.js';
import { type CollectedChanges, collectChanges } from './collect-changes.js';
import { commitFresh } from './commit-fresh.js';
import { MetapromptsClosedError, MetapromptUnknownError } from './errors.js';
import { clip } from './fence.js';
import { createHostVoice, type HostCallbacks, type HostVoice } from './host-callbacks.js';
import { type HostTalk, HostTurn, HostWork, type Surroundings } from './host-turn.js';
import { memoryLane } from './memory-lane.js';
import { METAPROMPT_HOOK, type MetapromptHookOptions, metapromptHook } from './metaprompt-hook.js';
import { createPendingBatches, nameOf, type PendingBatches } from './pending-batches.js';
import { type ReadUpdates, type Refusal, readUpdates } from './read-updates.js';

type Entry = Pick<TraceEntry, 'type' | 'message' | 'details'>;

export interface MetapromptExecutorOptions extends MetapromptHookOptions, HostTalk, HostCallbacks {
  /** Where state, events and batches are kept; a batch that a crash left pending is resumed. */
  readonly lane?: LaneStore | undefined;
  /** Instead of a lane: a host's own memory. Then batches are not durable. */
  readonly workingMemory?: IWorkingMemory | undefined;
  /** The conversation in the lane; default `main`. */
  readonly conversation?: string | undefined;
  readonly random?: Random | undefined;
}

/** A turn that is over, for {@link MetapromptExecutor.checkAndTriggerMetaprompts}. */
export interface TriggerOptions {
  /** False for turns that no user made; default true. */
  readonly countTurn?: boolean | undefined;
  /** What was noticed in this turn, beside what the lane holds as pending. */
  readonly events?: readonly GMIEvent[] | undefined;
  /** Who spoke; matters in a directory's lane. Default: its owner. */
  readonly sender?: Sender | undefined;
}

/** Milliseconds that `shutdown` waits for running work; the seed's figure. */
export const SHUTDOWN_MS = 5000;

/**
 * Runs a persona's metaprompts for a host that has its own turn loop. Inside a session of the runtime the hook does all
 * of this; both follow the same rules.
 */
export class MetapromptExecutor {
  readonly #options: MetapromptExecutorOptions;
  readonly #lane: LaneStore;
  readonly #hook: ReturnType<typeof metapromptHook>;
  readonly #ids: readonly string[];
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #conversation: string;
  readonly #voice: HostVoice;
  readonly #background: PendingBatches;
  readonly #stop = new AbortController();
  #trace: readonly TraceEntry[] = [];
  #deciding: Promise<void> = Promise.resolve();

  /**
   * @throws {@link InvalidArgumentError} neither a lane nor a working memory, or neither a model nor a resolver; an option
   * outside its range.
   */
  constructor(options: MetapromptExecutorOptions) {
    const lane = options?.lane ?? (options?.workingMemory && memoryLane(options.workingMemory));
    if (!lane) throw new InvalidArgumentError('MetapromptExecutor needs a lane or a workingMemory.');
    if (!options.model && !options.resolveModel && options.mode !== 'local')
      throw new InvalidArgumentError("MetapromptExecutor needs a model or resolveModel, or mode 'local'.");
    this.#options = options;
    this.#lane = lane;
    this.#hook = metapromptHook(options);
    this.#ids = checkDefinitions(options.persona).usable.map(({ id }) => id);
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#conversation = options.conversation ?? 'main';
    this.#voice = createHostVoice(options, (callback, error) =>
      this.#add('host', {
        type: 'ERROR',
        message: `The host's ${callback} failed; further faults of it are not told.`,
        details: { callback, error: nameOf(error) },
      }),
    );
    this.#background = createPendingBatches({
      lane,
      conversation: this.#conversation,
      signal: this.#stop.signal,
      runBatch: async (batch, now, changes) => this.#hook.runBatch?.(batch, new HostWork(now, changes, options, this.#around())),
      collect: (now, { id }) => this.#collect(now, id, (entry) => this.#add(id, entry)),
      trace: (turn, entry) => this.#add(turn, entry),
      committed: (logged) => this.#voice.changed(logged),
    });
  }

  /** The last 500 entries. */
  get traceLog(): readonly TraceEntry[] {
    return this.#trace;
  }

  /**
   * Decides after a turn what runs, and records it together with the counters. Asks no model; the work goes on in the
   * background.
   *
   * @param turnId - The same id again changes nothing and triggers nothing.
   * @returns What was triggered.
   * @throws {@link MetapromptsClosedError}
   */
  async checkAndTriggerMetaprompts(turnId: string, options: TriggerOptions = {}): Promise<readonly BatchItem[]> {
    this.#mustBeOpen();
    // One after the other: two calls for one turn would not see which of them was recorded.
    const decided = this.#deciding.then(() => this.#decide(turnId, options));
    this.#deciding = decided.then(
      () => undefined,
      () => undefined,
    );
    return decided;
  }

  /**
   * Raises the flag of a metaprompt: it runs after the next turn, whatever its trigger type.
   *
   * @throws {@link MetapromptUnknownError}
   */
  async triggerMetaprompt(metapromptId: string): Promise<void> {
    this.#mustBeOpen();
    if (!this.#ids.includes(metapromptId)) throw new MetapromptUnknownError(metapromptId, this.#ids);
    await this.#apply([{ put: manualTriggerKey(metapromptId), value: true }], 'asked for by the host', 'host');
  }

  /** Applies updates at once, as if the metaprompt had replied with them. Returns what was refused, and why. */
  async applyMetapromptUpdates(
    updates: MetapromptUpdates,
    metapromptId: string,
  ): Promise<{ readonly operations: readonly Logged[]; readonly refusals: readonly Refusal[] }> {
    const { state } = await this.#lane.load(this.#conversation);
    const allowedMoods = allowedMoodsOf(this.#options.persona.moodAdaptation);
    const read: ReadUpdates = readUpdates({ ...updates }, state, { allowedMoods });
    for (const { field, reason } of read.refusals)
      this.#add(metapromptId, {
        type: 'WARNING',
        message: `Metaprompt ${metapromptId}: ${field} was refused.`,
        details: { field, reason },
      });
    const operations = await this.#apply(read.operations, clip(`${metapromptId}: ${read.rationale}`, WHY_CHARS), METAPROMPT_HOOK);
    return { operations, refusals: read.refusals };
  }

  /** Starts on batches that an earlier process left behind. Triggering does so too. */
  resume(): void {
    this.#background.run();
  }

  /** Waits for background work. True when all is done, false when the time ran out first. */
  async drain({ timeoutMs }: { readonly timeoutMs?: number | undefined } = {}): Promise<boolean> {
    this.#background.run();
    const done = this.#background.settled().then(() => true);
    if (timeoutMs === undefined) return done;
    let cancel = (): void => undefined;
    const late = new Promise<boolean>((resolve) => {
      cancel = this.#clock.setTimeout(() => resolve(false), timeoutMs);
    });
    return Promise.race([done, late]).finally(cancel);
  }

  /** Waits up to five seconds for running work, then stops it. What was not done stays pending in the lane. */
  async shutdown({ timeoutMs = SHUTDOWN_MS }: { readonly timeoutMs?: number | undefined } = {}): Promise<boolean> {
    if (this.#stop.signal.aborted) return true;
    const done = await this.drain({ timeoutMs });
    this.#stop.abort(new MetapromptsClosedError('The executor was shut down. Pending batches are resumed by the next one.'));
    await this.#background.settled();
    return done;
  }

  #mustBeOpen(): void {
    if (this.#stop.signal.aborted) throw new MetapromptsClosedError('The executor was shut down. Make a new one.');
  }

  async #decide(turnId: string, { countTurn = true, events = [], sender }: TriggerOptions): Promise<readonly BatchItem[]> {
    let items: readonly BatchItem[] = [];
    let said: readonly Entry[] = [];
    const logged = await commitFresh(this.#lane, this.#conversation, `metaprompt:${turnId}`, (now) => {
      // What an overtaken attempt decided did not happen. Warnings are about the persona and come once.
      said = said.filter(({ type }) => type === 'WARNING');
      const work = this.#collect(now, turnId, (entry) => {
        said = [...said, entry];
      });
      const woken = [...now.events, ...events];
      const turn = new HostTurn(
        { id: turnId, laneKey: this.#options.laneKey, countTurn, sender, events: woken },
        now,
        work,
        this.#around(),
      );
      void this.#hook.beforeTurn?.(turn);
      const decided = this.#hook.afterTurn?.(turn) as { readonly batch?: readonly BatchItem[] } | undefined;
      items = decided?.batch ?? [];
      const add = items.length === 0 ? [] : [{ id: `batch-${turnId}`, turn: turnId, by: METAPROMPT_HOOK, items, events: woken }];
      return { operations: work.operations, events: turn.events, batches: { add, done: [] } };
    });
    for (const entry of said) if (logged || entry.type === 'WARNING') this.#add(turnId, entry);
    this.#background.run();
    this.#voice.changed(logged ?? []);
    return logged ? items : [];
  }

  #around(): Surroundings {
    return { clock: this.#clock, signal: this.#stop.signal, traceLog: this.#trace };
  }

  #collect({ state }: Snapshot, turn: string, trace: (entry: Entry) => void): CollectedChanges {
    return collectChanges(state, { by: METAPROMPT_HOOK, turn, atMs: this.#clock.now() }, { random: this.#random, trace });
  }

  async #apply(operations: readonly Operation[], why: string, by: string): Promise<readonly Logged[]> {
    if (operations.length === 0) return [];
    const turn = createId('apply', this.#random);
    const cause = { by, why, turn, atMs: this.#clock.now() };
    const written = await commitFresh(this.#lane, this.#conversation, turn, ({ state }) => ({
      operations: logOperations(state, operations, cause, () => createId('op', this.#random)).logged,
    }));
    const logged = written ?? [];
    this.#voice.changed(logged);
    return logged;
  }

  #add(turn: string, entry: Entry): void {
    const full = { ...entry, turn, atMs: this.#clock.now() };
    this.#trace = appendTrace(this.#trace, full);
    this.#voice.trace(full);
  }
}
