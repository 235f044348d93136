import {
  type Clock,
  createId,
  createMemoryStore,
  type IAgentStore,
  type IChatModel,
  type IPersonaDefinition,
  type ITool,
  type IUtilityAI,
  laneKey,
  type Placement,
  type Random,
  type ResolveModel,
  systemClock,
  type TurnHook,
} from '@x/core';
import { normalizePersonaDefinition } from '@x/metaprompt';
import type { Budgets, Metric } from '@x/runtime';
import { checkedPersona, checkId, checkOptions } from './check-options.js';
import type { AgentOSResponse } from './chunks.js';
import { chunksOf } from './chunks-of-turn.js';
import { ConfigurationError, PersonaUnknownError, ShutDownError } from './errors.js';
import { GMI } from './gmi.js';
import { type FeatureOptions, personaFeatures } from './persona-features.js';
import type { EmergentConfig } from './personality-options.js';
import { type Prices, SEED_PRICES } from './prices.js';
import { createResolver } from './resolve-model.js';
import { createSharedLanes } from './shared-lanes.js';

export interface AgentOSOptions {
  /** At least one; each is checked. The first answers requests that name none. */
  readonly personas: readonly IPersonaDefinition[];
  /** One model for everything. */
  readonly model?: IChatModel | undefined;
  /** Or: a model for each name. */
  readonly resolveModel?: ResolveModel | undefined;
  /** For personas that name no model, at `openai`; default `gpt-4o-mini`. */
  readonly defaultModelId?: string | undefined;
  /** Where lanes live; default in memory. */
  readonly store?: IAgentStore | undefined;
  /** Who scores messages; default `StatisticalUtilityAI`, which asks no model. */
  readonly utilityAIService?: IUtilityAI | undefined;
  /** Lets models change their own traits, within bounds. Default off. */
  readonly emergentConfig?: EmergentConfig | undefined;
  /** For costs in results; default the one price of the seed. */
  readonly prices?: Prices | undefined;
  readonly tools?: readonly ITool[] | undefined;
  readonly hooks?: TurnHook | undefined;
  readonly placement?: Placement | undefined;
  readonly budgets?: Budgets | undefined;
  readonly journal?: boolean | undefined;
  /**
   * True when other processes serve the same sessions: each turn then reads the store first. Without it a turn that goes
   * on from another process's is refused once (`transcript_conflict`). Default false.
   */
  readonly shared?: boolean | undefined;
  /** Further settings of the features, such as `compaction`. */
  readonly features?: Omit<FeatureOptions, 'persona' | 'utilityAI' | 'emergent'> | undefined;
  /** Adds the prefix figures of each step to the stream; costs a comparison of requests. Default false. */
  readonly prefixFigures?: boolean | undefined;
  readonly onMetric?: ((metric: Metric) => void) | undefined;
  /** GMIs that are kept awake; of more, those used longest ago sleep until their next request. Default 1,000. */
  readonly maxAwake?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

export interface ProcessRequest {
  readonly userId: string;
  readonly sessionId: string;
  readonly selectedPersonaId?: string | undefined;
  readonly textInput: string;
  readonly conversationId?: string | undefined;
  /** The id of the turn; the same one sent again returns the committed answer. */
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The runtime of personas: one GMI per persona, user and session, made when it is first needed.
 */
export class AgentOS {
  readonly #options: AgentOSOptions;
  readonly #personas: ReadonlyMap<string, IPersonaDefinition>;
  readonly #resolve: ResolveModel;
  readonly #store: IAgentStore;
  readonly #gmis = new Map<string, GMI>();
  /** The keys of GMIs that were used since they last slept; the longest unused first. */
  readonly #awake = new Set<string>();
  readonly #openLane = createSharedLanes();
  readonly #features = new Map<string, readonly TurnHook[]>();
  #down = false;

  private constructor(options: AgentOSOptions, personas: ReadonlyMap<string, IPersonaDefinition>, resolve: ResolveModel) {
    this.#options = options;
    this.#personas = personas;
    this.#resolve = resolve;
    this.#store = options.store ?? createMemoryStore({ clock: options.clock, random: options.random });
  }

  /**
   * Checks the personas and their default models.
   *
   * @throws `persona_invalid`, `configuration_invalid`, `provider_unknown`, `api_key_missing`.
   */
  static async create(options: AgentOSOptions): Promise<AgentOS> {
    checkOptions(options);
    const personas = new Map<string, IPersonaDefinition>();
    for (const [index, input] of options.personas.entries()) {
      const persona = normalizePersonaDefinition(checkedPersona(input, index));
      if (personas.has(persona.id)) throw new ConfigurationError(`Two personas share the id "${persona.id}".`);
      personas.set(persona.id, persona);
    }
    const resolve = createResolver(options);
    for (const persona of personas.values()) resolve({ providerId: persona.defaultProviderId, modelId: persona.defaultModelId });
    return new AgentOS(options, personas, resolve);
  }

  /**
   * Runs one turn. The last chunk is `final_response` or `error`; after an error the session takes the next turn.
   *
   * @throws `shut_down`, `persona_unknown`, `invalid_argument` at the first step of the loop; `signal.reason` when it was aborted.
   */
  async *processRequest(request: ProcessRequest): AsyncGenerator<AgentOSResponse, void> {
    const gmi = this.gmi(request);
    const { clock = systemClock, random, prices = SEED_PRICES } = this.#options;
    const model = this.#resolve({ providerId: gmi.persona.defaultProviderId, modelId: gmi.persona.defaultModelId });
    const run = gmi.processTurn({ content: request.textInput, id: request.requestId, signal: request.signal });
    yield* chunksOf(run, {
      streamId: createId('stream', random),
      gmiInstanceId: gmi.id,
      persona: gmi.persona,
      modelId: model.modelId,
      prices,
      clock,
      signal: request.signal,
      lane: laneKey(this.#scope(request)),
      trace: () => gmi.getReasoningTrace().entries,
      meter: this.#options.prefixFigures ? gmi.prefixMeter : undefined,
    });
  }

  /** The GMI of a request's persona, user and session. @throws `shut_down`, `persona_unknown`. */
  gmi(request: Pick<ProcessRequest, 'userId' | 'sessionId' | 'selectedPersonaId' | 'conversationId'>): GMI {
    if (this.#down) throw new ShutDownError('This AgentOS');
    const persona = this.#persona(request.selectedPersonaId);
    const scope = this.#scope(request);
    const key = this.#key(request);
    const known = this.#gmis.get(key);
    if (known) return known;
    const { emergentConfig, utilityAIService, features, tools, hooks, placement, budgets, journal, shared, onMetric, clock, random } =
      this.#options;
    const made = new GMI({
      ...features,
      persona,
      personaFeatures: this.#sharedFeatures(persona),
      scope,
      conversation: request.conversationId,
      openLane: this.#openLane,
      model: this.#resolve({ providerId: persona.defaultProviderId, modelId: persona.defaultModelId }),
      resolveModel: ({ providerId, modelId }) =>
        this.#resolve({ providerId: providerId ?? persona.defaultProviderId, modelId: modelId ?? persona.defaultModelId }),
      store: this.#store,
      utilityAI: utilityAIService,
      emergent: emergentConfig,
      tools,
      hooks,
      placement,
      budgets,
      journal,
      shared,
      onMetric,
      onUsed: () => this.#letSleep(key),
      clock,
      random,
    });
    this.#gmis.set(key, made);
    return made;
  }

  /**
   * Asks for a metaprompt of trigger type `manual` to run after the session's next turn.
   *
   * @throws `metaprompt_unknown`, `persona_unknown`, `shut_down`.
   */
  async triggerMetaprompt(request: {
    readonly userId: string;
    readonly sessionId: string;
    readonly personaId?: string | undefined;
    readonly metapromptId: string;
  }): Promise<void> {
    const gmi = this.gmi({ userId: request.userId, sessionId: request.sessionId, selectedPersonaId: request.personaId });
    await gmi.triggerMetaprompt(request.metapromptId);
  }

  /** Takes no more requests, waits up to `timeoutMs` (default 5,000) for running turns and background work, then stops. */
  async shutdown(options: { readonly timeoutMs?: number | undefined } = {}): Promise<void> {
    this.#down = true;
    const ends = await Promise.allSettled([...this.#gmis.values()].map((gmi) => gmi.shutdown(options)));
    this.#gmis.clear();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  /** Called when a session was used. Who cannot sleep now is asked again later; two at a time, so that no turn waits for a crowd. */
  #letSleep(key: string): void {
    this.#awake.delete(key);
    this.#awake.add(key);
    let left = Math.min(2, this.#awake.size - (this.#options.maxAwake ?? 1_000));
    for (const oldest of this.#awake) {
      if (left <= 0) return;
      this.#awake.delete(oldest);
      const gmi = this.#gmis.get(oldest);
      if (!gmi?.isAwake) continue; // a host sent it to sleep
      left -= 1;
      const again = (slept = false): void => void (slept || this.#awake.add(oldest));
      // A lane that cannot be closed says so at its next turn.
      void gmi.sleep().then(again, () => again());
    }
  }

  #key(request: Pick<ProcessRequest, 'userId' | 'sessionId' | 'selectedPersonaId' | 'conversationId'>): string {
    return JSON.stringify([laneKey(this.#scope(request)), request.conversationId ?? 'main']);
  }

  // Hooks keep nothing of a session but for the compactor, so one list serves all sessions of a persona without it.
  #sharedFeatures(persona: IPersonaDefinition): readonly TurnHook[] | undefined {
    const { features, utilityAIService, clock, random } = this.#options;
    if (features?.compaction) return undefined;
    const resolveModel: ResolveModel = ({ providerId, modelId }) =>
      this.#resolve({ providerId: providerId ?? persona.defaultProviderId, modelId: modelId ?? persona.defaultModelId });
    const known =
      this.#features.get(persona.id) ??
      personaFeatures({
        summaryModel: () => resolveModel({}),
        resolveModel,
        ...features,
        persona,
        utilityAI: utilityAIService,
        clock,
        random,
      });
    this.#features.set(persona.id, known);
    return known;
  }

  #persona(id: string | undefined | null): IPersonaDefinition {
    const persona = id === undefined || id === null ? [...this.#personas.values()][0] : this.#personas.get(id);
    if (!persona) throw new PersonaUnknownError(id ?? '', [...this.#personas.keys()]);
    return persona;
  }

  #scope({ userId, sessionId, selectedPersonaId }: Pick<ProcessRequest, 'userId' | 'sessionId' | 'selectedPersonaId'>) {
    return { persona: this.#persona(selectedPersonaId).id, user: checkId(userId, 'userId'), session: checkId(sessionId, 'sessionId') };
  }
}
