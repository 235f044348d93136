import {
  appendTrace,
  type Batch,
  type BatchItem,
  type BatchWork,
  type Change,
  type ChatMessage,
  type Clock,
  createId,
  type GMIEvent,
  type IChatModel,
  InvalidArgumentError,
  type IWorkingMemory,
  type LaneStore,
  type Logged,
  type MetapromptUpdates,
  manualTriggerKey,
  type Operation,
  type Random,
  type ResolveModel,
  type Snapshot,
  type Stored,
  systemClock,
  type TraceEntry,
  type Turn,
} from '@x/core';
import { allowedMoodsOf } from './apply-outcome.js';
import { checkDefinitions } from './check-definitions.js';
import { type CollectedChanges, collectChanges } from './collect-changes.js';
import { commitFresh } from './commit-fresh.js';
import { MetapromptsClosedError, MetapromptUnknownError } from './errors.js';
import { memoryLane } from './memory-lane.js';
import { METAPROMPT_HOOK, type MetapromptHookOptions, metapromptHook } from './metaprompt-hook.js';
import { type ReadUpdates, type Refusal, readUpdates } from './read-updates.js';

export interface MetapromptExecutorOptions extends MetapromptHookOptions {
  /** Where state, events and batches are kept; a batch that a crash left pending is resumed. */
  readonly lane?: LaneStore | undefined;
  /** Instead of a lane: a host's own memory. Then batches are not durable. */
  readonly workingMemory?: IWorkingMemory | undefined;
  /** How a metaprompt gets its model; `model` for all of them is the short form. */
  readonly resolveModel?: ResolveModel | undefined;
  readonly model?: IChatModel | undefined;
  /** The conversation in the lane; default `main`. */
  readonly conversation?: string | undefined;
  /** The transcript, for hosts that keep it themselves; default: the lane's. */
  readonly history?: (() => readonly ChatMessage[]) | undefined;
  readonly onTrace?: ((entry: TraceEntry) => void) | undefined;
  readonly onMoodUpdate?: ((mood: string) => void) | undefined;
  readonly onUserContextUpdate?: ((updates: { readonly skillLevel: string }) => void) | undefined;
  readonly onTaskContextUpdate?: ((updates: { readonly complexity: string }) => void) | undefined;
  readonly onMemoryImprint?: ((imprint: { readonly key: string; readonly value: unknown }) => void) | undefined;
  readonly random?: Random | undefined;
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
  readonly #stop = new AbortController();
  #trace: readonly TraceEntry[] = [];
  #background: Promise<void> = Promise.resolve();

  /** @throws {@link InvalidArgumentError} neither a lane nor a working memory, or neither a model nor a resolver. */
  constructor(options: MetapromptExecutorOptions) {
    const lane = options.lane ?? (options.workingMemory && memoryLane(options.workingMemory));
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
  }

  /** The last 500 entries. */
  get traceLog(): readonly TraceEntry[] {
    return this.#trace;
  }

  /**
   * Decides after a turn what runs, and records it together with the counters. Asks no model; the work goes on in the
   * background.
   *
   * @param turnId - The same id again changes nothing.
   * @param options.countTurn - False for turns that no user made; default true.
   * @param options.events - What was noticed in this turn, beside what the lane holds as pending.
   * @returns What was triggered.
   * @throws {@link MetapromptsClosedError}
   */
  async checkAndTriggerMetaprompts(
    turnId: string,
    { countTurn = true, events = [] }: { readonly countTurn?: boolean | undefined; readonly events?: readonly GMIEvent[] | undefined } = {},
  ): Promise<readonly BatchItem[]> {
    this.#mustBeOpen();
    const origin = countTurn ? 'user' : 'internal';
    let items: readonly BatchItem[] = [];
    const logged = await commitFresh(this.#lane, this.#conversation, `metaprompt:${turnId}`, (now) => {
      const work = this.#collect(now, turnId);
      let pending = [...now.events, ...events];
      const woken = pending;
      const input: Stored = { id: turnId, role: 'user', content: '', origin };
      const turn: Turn = {
        ...work.change,
        get state() {
          return work.state();
        },
        get events() {
          return pending;
        },
        id: turnId,
        lane: '',
        origin,
        input,
        layout: { stable: {}, tools: [], history: now.history, blocks: [], volatile: {}, current: [input] },
        signals: [],
        traceLog: this.#trace,
        signal: this.#stop.signal,
        atMs: this.#clock.now(),
        raise: () => undefined,
        consume(types) {
          pending = pending.filter((event) => !types.includes(event.eventType));
        },
      };
      void this.#hook.beforeTurn?.(turn);
      const decided = this.#hook.afterTurn?.(turn) as { readonly batch?: readonly BatchItem[] } | undefined;
      items = decided?.batch ?? [];
      const batch: readonly Batch[] =
        items.length === 0 ? [] : [{ id: `batch-${turnId}`, turn: turnId, by: METAPROMPT_HOOK, items, events: woken }];
      return { operations: work.operations, events: pending, batches: { add: batch, done: [] } };
    });
    this.#tellHost(logged);
    this.#run();
    return items;
  }

  /**
   * Raises the flag of a metaprompt: it runs after the next turn, whatever its trigger type.
   *
   * @throws {@link MetapromptUnknownError}
   */
  async triggerMetaprompt(metapromptId: string): Promise<void> {
    this.#mustBeOpen();
    if (!this.#ids.includes(metapromptId))
      throw new MetapromptUnknownError(
        `No metaprompt "${metapromptId.slice(0, 60)}" can fire. There are: ${this.#ids.join(', ') || 'none'}.`,
      );
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
    const operations = await this.#apply(read.operations, `${metapromptId}: ${read.rationale}`.slice(0, 240), METAPROMPT_HOOK);
    return { operations, refusals: read.refusals };
  }

  /** Starts on batches that an earlier process left behind. Triggering does so too. */
  resume(): void {
    this.#run();
  }

  /** Waits for background work. True when all is done, false when the time ran out first. */
  async drain({ timeoutMs }: { readonly timeoutMs?: number | undefined } = {}): Promise<boolean> {
    this.#run();
    const done = this.#background.then(() => true);
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
    await this.#background;
    return done;
  }

  #mustBeOpen(): void {
    if (this.#stop.signal.aborted) throw new MetapromptsClosedError('The executor was shut down. Make a new one.');
  }

  #run(): void {
    this.#background = this.#background
      .then(() => this.#runPending())
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted)
          this.#add('background', {
            type: 'ERROR',
            message: 'Background work stopped; it is tried again after the next turn.',
            details: { error: nameOf(error) },
          });
      });
  }

  async #runPending(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const now = await this.#lane.load(this.#conversation);
      const batch = now.batches.find((one) => one.by === METAPROMPT_HOOK);
      if (!batch) return;
      const work = this.#collect(now, batch.id);
      try {
        await this.#hook.runBatch?.(batch, this.#workOf(now, work));
      } catch (error) {
        this.#stop.signal.throwIfAborted();
        this.#add(batch.turn, {
          type: 'ERROR',
          message: 'A batch of metaprompts failed and is dropped.',
          details: { batch: batch.id, error: nameOf(error) },
        });
        work.operations.length = 0;
      }
      this.#stop.signal.throwIfAborted();
      const done = { add: [], done: [batch.id] };
      this.#tellHost(await commitFresh(this.#lane, this.#conversation, batch.id, () => ({ operations: work.operations, batches: done })));
    }
  }

  #workOf(now: Snapshot, work: CollectedChanges): BatchWork {
    const { model, resolveModel = () => required(model), history } = this.#options;
    return {
      ...work.change,
      get state() {
        return work.state();
      },
      history: history ? history().map(asStored) : now.history,
      traceLog: this.#trace,
      resolveModel,
      signal: this.#stop.signal,
      atMs: this.#clock.now(),
    };
  }

  #collect({ state }: Snapshot, turn: string): CollectedChanges {
    const trace: Change['trace'] = (entry) => this.#add(turn, entry);
    return collectChanges(state, { by: METAPROMPT_HOOK, turn, atMs: this.#clock.now() }, { random: this.#random, trace });
  }

  async #apply(operations: readonly Operation[], why: string, by: string): Promise<readonly Logged[]> {
    if (operations.length === 0) return [];
    const turn = createId('apply', this.#random);
    const entries = operations.map(
      (operation): Logged => ({
        id: createId('op', this.#random),
        operation,
        by,
        why,
        from: null,
        to: null,
        turn,
        atMs: this.#clock.now(),
      }),
    );
    const logged = await commitFresh(this.#lane, this.#conversation, turn, () => ({ operations: entries }));
    this.#tellHost(logged);
    return logged;
  }

  #add(turn: string, entry: Pick<TraceEntry, 'type' | 'message' | 'details'>): void {
    const full = { ...entry, turn, atMs: this.#clock.now() };
    this.#trace = appendTrace(this.#trace, full);
    this.#options.onTrace?.(full);
  }

  #tellHost(logged: readonly Logged[]): void {
    const { onMoodUpdate, onUserContextUpdate, onTaskContextUpdate, onMemoryImprint } = this.#options;
    for (const { operation } of logged) {
      if ('imprint' in operation) onMemoryImprint?.({ key: operation.imprint, value: operation.value });
      if (!('set' in operation)) continue;
      if (operation.set === 'mood') onMoodUpdate?.(operation.to);
      if (operation.set === 'skill') onUserContextUpdate?.({ skillLevel: operation.to });
      if (operation.set === 'complexity') onTaskContextUpdate?.({ complexity: operation.to });
    }
  }
}

function asStored(message: ChatMessage, index: number): Stored {
  const origin =
    message.origin ??
    (message.role === 'assistant' || message.role === 'tool' ? message.role : message.role === 'user' ? 'user' : 'internal');
  return { ...message, id: message.id ?? `message-${index}`, origin };
}

function required(model: IChatModel | undefined): IChatModel {
  if (!model) throw new InvalidArgumentError('This metaprompt has no local handler and the executor has no model.');
  return model;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? ((error as { code?: unknown }).code?.toString() ?? error.name) : typeof error;
}
