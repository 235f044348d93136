import {
  type AgentState,
  type Clock,
  createMemoryStore,
  type IAgentStore,
  type IChatModel,
  type IPersonaDefinition,
  type ITool,
  type IUtilityAI,
  type IWorkingMemory,
  type LaneScope,
  type Logged,
  manualTriggerKey,
  type Parts,
  type Placement,
  type Random,
  type ResolveModel,
  TRAIT_NAMES,
  type TraceEntry,
  type TurnHook,
} from '@x/core';
import { parsePersona } from '@x/core/schema';
import { PersonalityMutationStore } from '@x/hexaco';
import { MetapromptUnknownError, normalizePersonaDefinition } from '@x/metaprompt';
import {
  type Budgets,
  type Lane,
  type Metric,
  type OpenLaneOptions,
  openLane,
  type RunInput,
  type Session,
  type TurnResult,
} from '@x/runtime';
import { checkModel, checkPlacement } from './check-options.js';
import { ConfigurationError, ShutDownError } from './errors.js';
import { initialState } from './initial-state.js';
import { type FeatureOptions, personaFeatures } from './persona-features.js';
import { personaTools } from './persona-tools.js';
import { createPrefixMeter } from './prefix-meter.js';
import { gmiId, shareMemory } from './share-memory.js';
import { type Run, startRun } from './start-run.js';

export interface GMIOptions extends Omit<FeatureOptions, 'persona'> {
  readonly persona: IPersonaDefinition;
  readonly model: IChatModel;
  /** For metaprompts and scorers that name a model of their own; default: always `model`. */
  readonly resolveModel?: ResolveModel | undefined;
  /** The host's own memory, kept equal to the lane's state; set `manual_trigger_<id>` there. */
  readonly workingMemory?: IWorkingMemory | undefined;
  /** Where the lane lives; default in memory. */
  readonly store?: IAgentStore | undefined;
  /** Default: a lane of its own, under the persona's id. */
  readonly scope?: LaneScope | undefined;
  readonly conversation?: string | undefined;
  /** True when other processes serve this session too: each turn then reads the store first. Default false. */
  readonly shared?: boolean | undefined;
  /** Opens the lane; give several GMIs of one scope the same one, so that their turns wait for each other. Default: a lane of its own. */
  readonly openLane?: ((options: OpenLaneOptions) => Promise<Lane>) | undefined;
  readonly utilityAI?: IUtilityAI | undefined;
  /** Beside those of the persona's features. */
  readonly tools?: readonly ITool[] | undefined;
  /** The persona's features, where several GMIs of one persona share them; default: made here from the persona. */
  readonly personaFeatures?: readonly TurnHook[] | undefined;
  /** More features, after those of the persona. */
  readonly features?: readonly TurnHook[] | undefined;
  /** The host's slot, after all features. */
  readonly hooks?: TurnHook | undefined;
  /** More parts of the prefix, such as a `soul`. */
  readonly stable?: Parts | (() => Parts) | undefined;
  readonly placement?: Placement | undefined;
  readonly budgets?: Budgets | undefined;
  /** Keep raw requests and replies, so that any turn can be rebuilt. Default false. */
  readonly journal?: boolean | undefined;
  readonly onMetric?: ((metric: Metric) => void) | undefined;
  readonly onTrace?: ((entry: TraceEntry) => void) | undefined;
  /** Called by `reload()`, before the prefix is composed anew. */
  readonly onReload?: (() => void) | undefined;
  /** Called when a use that opened the session has ended: it may be time for another one to sleep. Must not throw. */
  readonly onUsed?: (() => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly id?: string | undefined;
}

/** Trace entries that a sleeping GMI keeps: a service has thousands of sessions that never come back. */
const ASLEEP_ENTRIES = 20;

/** The phases of a GMI. Background work changes none of them. */
export type GMIPhase = 'ready' | 'processing' | 'errored' | 'shutting_down' | 'shutdown';

/**
 * One persona with one user in one session: a `Session` with the features of this project, their tools and a store.
 * Turns wait for each other; a failed turn leaves it able to take the next one.
 */
export class GMI {
  readonly id: string;
  readonly persona: IPersonaDefinition;
  /** Measures the prefix of this GMI's requests, one after the other. */
  readonly prefixMeter = createPrefixMeter();
  readonly #options: GMIOptions;
  #opened: Promise<{ readonly lane: Lane; readonly session: Session }> | undefined;
  #session: Session | undefined;
  #dozing: Promise<void> | undefined;
  #ended: Promise<void> | undefined;
  #lent = false;
  /** Calls that have the session in use. */
  #uses = 0;
  #dreamt: readonly TraceEntry[] = [];
  #setting: Promise<unknown> = Promise.resolve();
  #running = 0;
  #failed = false;
  #phase: 'open' | 'shutting_down' | 'shutdown' = 'open';

  /** @throws `persona_invalid` with every fault of the persona; `configuration_invalid`. */
  constructor(options: GMIOptions) {
    checkModel(options.model);
    checkPlacement(options.placement);
    this.#options = options;
    this.persona = options.personaFeatures ? options.persona : normalizePersonaDefinition(checked(options.persona));
    this.id = options.id ?? gmiId(options.random);
  }

  /** Where it is in its life. After a failed turn `errored`, until the next one starts. */
  getCurrentState(): GMIPhase {
    if (this.#phase !== 'open') return this.#phase;
    return this.#running > 0 ? 'processing' : this.#failed ? 'errored' : 'ready';
  }

  /** Whether it holds its session. It sleeps until its first use, and after `sleep`. */
  get isAwake(): boolean {
    return this.#opened !== undefined;
  }

  /**
   * Runs one turn: `await` it for its result, or loop over it for its events. It starts at either.
   *
   * @throws `shut_down`; what `Session.run` throws.
   */
  processTurn(input: TurnInput): Run {
    const run = runInputOf(input);
    return startRun({ events: () => this.#events(run), result: () => this.#result(run) });
  }

  /** The persona's and the user's state as committed last: mood, skill, complexity, traits, imprints. */
  async state(): Promise<AgentState> {
    return this.#use(({ session }) => session.state());
  }

  /**
   * Sets a trait of this GMI alone. No budget limits a host; the change is logged and can be undone.
   *
   * @param value - 0 to 1.
   * @throws `configuration_invalid` for an unknown trait or a value outside 0 to 1.
   */
  async setPersonalityTrait(trait: string, value: number): Promise<readonly Logged[]> {
    if (!(TRAIT_NAMES as readonly string[]).includes(trait))
      throw new ConfigurationError(`There is no trait "${trait}". Known: ${TRAIT_NAMES.join(', ')}.`);
    if (typeof value !== 'number' || !(value >= 0 && value <= 1))
      throw new ConfigurationError(`A trait is a number from 0 to 1, got ${value}.`);
    // One after the other: two that read the same score would add up to neither value.
    const set = this.#setting.then(() =>
      this.#use(async ({ session }) => {
        const { traits } = await session.state();
        return session.apply([{ trait, delta: value - (traits[trait] ?? 0.5) }], 'host', 'setPersonalityTrait');
      }),
    );
    this.#setting = set.catch(() => undefined);
    return set;
  }

  /** Asks for a metaprompt to run after the next turn. @throws `metaprompt_unknown` */
  async triggerMetaprompt(metapromptId: string): Promise<void> {
    const ids = (this.persona.metaPrompts ?? []).map(({ id }) => id);
    if (!ids.includes(metapromptId)) throw new MetapromptUnknownError(metapromptId, ids);
    await this.#use(({ lane }) => lane.memory.set(manualTriggerKey(metapromptId), true));
  }

  /** The last 500 things this GMI did, oldest first; of those before it last slept, the last 20. */
  getReasoningTrace(): { readonly gmiId: string; readonly personaId: string; readonly entries: readonly TraceEntry[] } {
    return { gmiId: this.id, personaId: this.persona.id, entries: this.#traceLog() };
  }

  /** The session under it: history, operations, undo, resume. A GMI whose session or lane was asked for never sleeps. */
  async session(): Promise<Session> {
    this.#lent = true;
    return (await this.#open()).session;
  }

  /** The lane under it: working memory under the seed's keys, and the store's view. */
  async lane(): Promise<Lane> {
    this.#lent = true;
    return (await this.#open()).lane;
  }

  /** Composes the prefix anew at the next turn; if it then differs, that is the named break `reload`. */
  async reload(): Promise<void> {
    this.#options.onReload?.();
    await this.#use(({ session }) => session.reload());
  }

  /** Waits for background work; true when all is done. */
  async drain(options: { readonly timeoutMs?: number | undefined } = {}): Promise<boolean> {
    return this.#use(({ session }) => session.drain(options));
  }

  /**
   * Lets go of all that the store holds as well: an idle GMI then costs next to nothing, and the next call wakes it.
   *
   * @returns False, with nothing changed, while a turn or background work runs, or where a host holds its session or lane.
   */
  async sleep(): Promise<boolean> {
    if (!this.#opened || this.#phase !== 'open') return false;
    const { lane, session } = await this.#opened;
    if (!(await session.drain({ timeoutMs: 0 })) || this.#uses > 0 || this.#lent || this.#session !== session) return false;
    this.#dreamt = this.#traceLog().slice(-ASLEEP_ENTRIES);
    this.#opened = undefined;
    this.#session = undefined;
    this.#dozing = lane.close();
    await this.#dozing;
    return true;
  }

  /** Takes no more turns, gives running work `timeoutMs` (default 5,000) to end, then stops it. Called again, it waits for the same end. */
  shutdown({ timeoutMs = 5_000 }: { readonly timeoutMs?: number | undefined } = {}): Promise<void> {
    this.#ended ??= this.#end(timeoutMs);
    return this.#ended;
  }

  async #end(timeoutMs: number): Promise<void> {
    this.#phase = 'shutting_down';
    try {
      const opened = await this.#opened;
      await Promise.all([this.#dozing, opened?.lane.close({ timeoutMs })]);
    } finally {
      this.#phase = 'shutdown';
    }
  }

  // Beside its twin with events: a generator for a single value would cost a turn 4 kB.
  async #result(input: RunInput): Promise<TurnResult> {
    this.#enter();
    try {
      return await (await this.#open()).session.ask(input);
    } catch (error) {
      this.#failed = true;
      throw error;
    } finally {
      this.#leave();
    }
  }

  async *#events(input: RunInput): ReturnType<Session['run']> {
    this.#enter();
    try {
      return yield* (await this.#open()).session.run(input);
    } catch (error) {
      this.#failed = true;
      throw error;
    } finally {
      this.#leave();
    }
  }

  /** A turn counts until it has ended or was left; whether it failed is kept. */
  #enter(): void {
    if (this.#phase !== 'open') throw new ShutDownError(`GMI ${this.id}`);
    this.#running += 1;
    this.#uses += 1;
    this.#failed = false;
  }

  #leave(): void {
    this.#running -= 1;
    this.#letGo();
  }

  /** Runs work on the session, which does not sleep meanwhile. */
  async #use<T>(work: (opened: { readonly lane: Lane; readonly session: Session }) => T | Promise<T>): Promise<T> {
    this.#uses += 1;
    try {
      return await work(await this.#open());
    } finally {
      this.#letGo();
    }
  }

  #letGo(): void {
    this.#uses -= 1;
    this.#options.onUsed?.();
  }

  #open(): Promise<{ readonly lane: Lane; readonly session: Session }> {
    this.#opened ??= this.#build().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  #traceLog(): readonly TraceEntry[] {
    const now = this.#session?.traceLog ?? [];
    return this.#dreamt.length > 0 ? [...this.#dreamt, ...now].slice(-500) : now;
  }

  async #build(): Promise<{ readonly lane: Lane; readonly session: Session }> {
    await this.#dozing;
    const persona = this.persona;
    const options = this.#options;
    const timing = { clock: options.clock, random: options.random };
    const base = options.store ?? createMemoryStore(timing);
    const store = options.workingMemory ? shareMemory(options.workingMemory, timing, base) : base;
    const scope = options.scope ?? { persona: persona.id, user: 'default_user', session: this.id };
    // What is left of this person's earlier sessions: traits that moved, faded by the time that has passed.
    const mutations = new PersonalityMutationStore({
      lane: await base.open(scope),
      personalityTraits: persona.personalityTraits,
      ...timing,
    });
    const initial = { ...initialState(persona), traits: await mutations.startingTraits() };
    // A host's memory is read when the lane is: what the host wrote there since the last turn must reach this one.
    const shared = options.shared || options.workingMemory !== undefined;
    const lane = await (options.openLane ?? openLane)({ store, scope, initial, shared, ...timing });
    const own = options.personaFeatures ?? personaFeatures({ summaryModel: () => options.model, ...options, persona });
    const features = options.features ? [...own, ...options.features] : own;
    const session = lane.session({
      conversation: options.conversation,
      model: options.model,
      resolveModel: options.resolveModel,
      features,
      hooks: options.hooks,
      tools: [...(options.tools ?? []), ...personaTools(persona, options.emergent)],
      stable: options.stable,
      placement: options.placement,
      budgets: options.budgets,
      generation: {
        temperature: persona.defaultModelCompletionOptions?.temperature,
        maxOutputTokens: persona.defaultModelCompletionOptions?.maxTokens,
      },
      journal: options.journal,
      onMetric: options.onMetric,
      onTrace: options.onTrace,
    });
    this.#session = session;
    return { lane, session };
  }
}

/** The base prompt may be empty here, where a feature such as a directory's soul brings one. @throws `persona_invalid` */
function checked(persona: IPersonaDefinition): IPersonaDefinition {
  const { baseSystemPrompt, name } = persona;
  return { ...parsePersona({ ...persona, baseSystemPrompt: baseSystemPrompt || name }), baseSystemPrompt };
}

type TurnInput = string | RunInput | { readonly textInput: string; readonly signal?: AbortSignal | undefined };

// What is no input at all becomes one without content, which the session refuses and says what it wants.
function runInputOf(input: TurnInput): RunInput {
  if (typeof input === 'string') return { content: input };
  const { textInput, ...rest } = { textInput: undefined, ...input } as { readonly textInput?: string | undefined };
  return textInput === undefined ? (rest as RunInput) : { ...rest, content: textInput };
}
