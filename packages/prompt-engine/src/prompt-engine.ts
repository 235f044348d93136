import {
  type Block,
  type Capabilities,
  type ChatMessage,
  type ContextualPromptElement,
  type CountTokens,
  type ElementCriteria,
  estimateMessageTokens,
  estimateTextTokens,
  estimateToolTokens,
  freezeDeep,
  type IPersonaDefinition,
  type Layout,
  layoutMessages,
  type Parts,
  type Placement,
  type Stored,
  textOf,
} from '@x/core';
import { chooseTools } from './choose-tools.js';
import { type CompiledCriteria, compileCriteria, criteriaHold, type KnownPredicates } from './compile-criteria.js';
import type { CompiledElement } from './compile-elements.js';
import { createConversation, type Fitted } from './conversation.js';
import { createBudget } from './create-budget.js';
import { nextTiming } from './element-timing.js';
import { MatchContext, type Predicates } from './match-context.js';
import { createElementCache, type PreparedElements } from './prepare-elements.js';
import type { PromptExecutionContext, PromptIssue, Report } from './prompt-context.js';
import { capabilitiesOf, DEFAULT_FORMAT, PROMPT_FORMATS } from './prompt-formats.js';
import type { ModelTargetInfo, PromptComponents, PromptEngineResult } from './prompt-types.js';
import { readInput } from './read-input.js';
import { recentTexts } from './recent-texts.js';
import { renderElements, tokensOf } from './render-elements.js';
import { renderPersona } from './render-persona.js';
import { renderRetrieved } from './render-records.js';
import { renderState } from './render-state.js';
import { type ElementLimits, type ElementVerdict, reportLeft, type Selection, selectRanked } from './select-elements.js';
import { splitTalk, type Talk } from './split-talk.js';
import type { ToolManifest } from './tool-manifest.js';

export interface PromptEngineOptions {
  readonly predicates?: Predicates | undefined;
  /** Limits of the elements that depend on the turn; default 10 elements. */
  readonly limits?: ElementLimits | undefined;
  /** Limits of the elements that are always there; default none. */
  readonly stableLimits?: ElementLimits | undefined;
  /** Default `kept-on-change`. */
  readonly placement?: Placement | undefined;
  /** Tokens for retrieved context; default a fifth of the budget. */
  readonly maxRetrievedTokens?: number | undefined;
  readonly toolManifest?: ToolManifest | undefined;
  /** Further prompt formats, or other rows for the built-in ones. */
  readonly formats?: { readonly [format: string]: Capabilities } | undefined;
  /** Turns a Standard Schema of a tool into JSON Schema; plain JSON Schemas need none. */
  readonly toJsonSchema?: ((schema: unknown) => object) | undefined;
  /** A real tokenizer; default the estimate of core. */
  readonly countTokens?: CountTokens | undefined;
}

/** Why an element is or is not in the prompt. */
export type ElementExplanation = ElementVerdict & {
  readonly id: string;
  readonly type: ContextualPromptElement['type'];
  /** `stable`: it is in every prompt of a session. */
  readonly slot: 'stable' | 'volatile';
};

const DEFAULT_MAX_ELEMENTS = 10;
/** Texts whose token counts are remembered. */
const COUNTED_TEXTS = 64;
/** What the frames around notes cost: their rule in the system prompt, fence and opening line. */
const FRAME_TOKENS = 130;

/**
 * Builds prompts from a persona's elements and the state of a talk.
 *
 * An engine remembers compiled elements, token counts and message lists, each under the very object or text it was
 * made from; nothing of one conversation can reach another. Results depend on the arguments alone.
 */
export class PromptEngine {
  readonly #options: PromptEngineOptions;
  readonly #limits: ElementLimits;
  readonly #predicates: KnownPredicates;
  readonly #formats: { readonly [format: string]: Capabilities };
  readonly #countTokens: CountTokens;
  readonly #countText: CountTokens;
  readonly #countMessage: (message: ChatMessage) => number;
  readonly #prepare: (elements: readonly ContextualPromptElement[]) => PreparedElements;
  readonly #criteria = new WeakMap<object, CompiledCriteria>();
  readonly #conversations = new WeakMap<object, ReturnType<typeof createConversation>>();

  constructor(options: PromptEngineOptions = {}) {
    const { countTokens = estimateTextTokens, predicates = {}, stableLimits = {} } = options;
    this.#options = options;
    this.#limits = { maxElements: DEFAULT_MAX_ELEMENTS, ...options.limits };
    this.#predicates = new Set(Object.keys(predicates));
    this.#formats = { ...PROMPT_FORMATS, ...options.formats };
    this.#countTokens = countTokens;
    this.#countText = rememberCounts(countTokens);
    this.#countMessage = (message) => estimateMessageTokens(message, countTokens);
    this.#prepare = createElementCache({ predicates: this.#predicates, countTokens, stableLimits });
  }

  /**
   * Builds the prompt of one turn.
   *
   * Stable text comes first and stays the same for the session: system prompts (those given, else the base prompt of
   * `activePersona`), elements that are always there, hard limits. Then the history; then, before the user's text, what
   * follows from state. What does not fit is left out in this order: elements of low rank, retrieved texts of low
   * relevance, the oldest exchanges. Each cut is an issue.
   *
   * @param templateName - A prompt format; default `modelTargetInfo.promptFormatType`, then `openai_chat`.
   * @throws {@link PromptFormatUnknownError}, {@link PromptTooLargeError}, {@link ElementInvalidError},
   * {@link CriteriaInvalidError}, {@link PatternUnsafeError}, {@link TemplateInvalidError}; all as rejections.
   */
  async constructPrompt(
    components: PromptComponents,
    modelTargetInfo: ModelTargetInfo,
    executionContext: PromptExecutionContext = {},
    templateName?: string,
  ): Promise<PromptEngineResult> {
    const format = templateName ?? modelTargetInfo.promptFormatType ?? DEFAULT_FORMAT;
    const capabilities = capabilitiesOf(modelTargetInfo, format, this.#formats);
    const issues: PromptIssue[] = [];
    const report: Report = (code, severity, message, details) => void issues.push({ code, severity, message, ...(details && { details }) });
    const { activePersona: persona } = executionContext;
    const { toolManifest: manifest = {}, toJsonSchema } = this.#options;

    const tools = chooseTools(components.tools ?? [], modelTargetInfo, { personaId: persona?.id, manifest, toJsonSchema }, report);
    const elements = this.#prepare(persona?.contextualPromptElements ?? NO_ELEMENTS);
    reportLeft(elements.always, report);
    const stable = stablePartsOf(components, persona, elements);
    const input = readInput(components, modelTargetInfo, executionContext.turn, report);
    const talk = splitTalk(components.conversationHistory ?? NO_HISTORY, input, report);

    const toolTokens = tools.specs.reduce((tokens, tool) => tokens + estimateToolTokens(tool, this.#countTokens), 0);
    const stableTokens = stable.texts.reduce((tokens, text) => tokens + this.#countText(text), tokensOf(elements.always.chosen));
    const userTokens = talk.current.reduce((tokens, message) => tokens + this.#countMessage(message), 0);
    const budget = createBudget(modelTargetInfo, { system: stableTokens + FRAME_TOKENS, tools: toolTokens, user: userTokens });

    const context = new MatchContext(withTexts(executionContext, talk, elements.scanDepth), this.#options.predicates, report);
    const state = renderState(context, persona, report);
    const stateTokens = this.#countText(state);
    budget.spend(stateTokens);
    const selection = this.#match(elements, context, budget.left());
    reportLeft(selection, report);
    const matchedTokens = tokensOf(selection.chosen);
    budget.spend(matchedTokens);
    const retrievedRoom = Math.min(this.#options.maxRetrievedTokens ?? Math.floor(budget.tokens / 5), budget.left());
    const retrieved = renderRetrieved(components.retrievedContext ?? '', retrievedRoom, this.#countTokens, report);
    budget.spend(retrieved.tokens);

    const volatile: Parts = { state, elements: renderElements(selection.chosen), retrieved: retrieved.text };
    const layout: Layout = {
      stable: stable.parts,
      tools: tools.specs,
      history: talk.history,
      blocks: components.blocks ?? NO_BLOCKS,
      volatile,
      current: talk.current as Layout['current'],
      placement: this.#options.placement,
    };
    const { request, kept, dropped, historyTokens } = this.#layOut(layout, capabilities, budget.left());
    if (dropped > 0) report('history_trimmed', 'warning', `${dropped} of the oldest messages did not fit and were left out.`, { dropped });
    budget.spend(historyTokens);
    const timing = executionContext.elementTiming ?? {};
    return {
      prompt: capabilities.transcript === 'completion' ? textOf(request.messages[0] ?? EMPTY) : request.messages,
      formattedToolSchemas: tools.schemas,
      tokenCount: budget.spent(),
      issues,
      wasTruncatedOrSummarized: issues.some(({ code }) => CUT.test(code)),
      input,
      blocks: request.blocks,
      elementTiming: context.turn === undefined ? timing : nextTiming(timing, selection.chosen, context.turn),
      metadata: {
        selectedContextualElementIds: inRankOrder(elements, selection).map(({ key }) => key),
        templateUsed: format,
        stablePrefixTokens: stableTokens + toolTokens,
        systemTokens: stableTokens + stateTokens + matchedTokens,
        toolTokens,
        historyTokens,
        userTokens,
        retrievedTokens: retrieved.tokens,
        budgetTokens: budget.tokens,
        totalSystemPromptsApplied: components.systemPrompts?.length ?? (persona === undefined ? 0 : 1),
        historyMessagesIncluded: kept,
        toolReasons: tools.reasons,
      },
    };
  }

  /**
   * Whether criteria hold. None given always hold. Text criteria are judged by this turn alone; chance, stickiness and
   * rest belong to an element and are seen by {@link selectElements}.
   *
   * @throws {@link CriteriaInvalidError}, {@link PatternUnsafeError}
   */
  evaluateCriteria(criteria: ElementCriteria | undefined, context: PromptExecutionContext): boolean {
    if (criteria === undefined) return true;
    let compiled = typeof criteria === 'object' && criteria !== null ? this.#criteria.get(criteria) : undefined;
    if (compiled === undefined) {
      compiled = compileCriteria(criteria, this.#predicates);
      this.#criteria.set(freezeDeep(criteria), compiled);
    }
    return criteriaHold(compiled, new MatchContext(context, this.#options.predicates));
  }

  /** The elements that enter the prompt in this context, highest priority first, equal ones as declared. */
  selectElements(elements: readonly ContextualPromptElement[], context: PromptExecutionContext): readonly ContextualPromptElement[] {
    const prepared = this.#prepare(elements);
    const selection = this.#match(prepared, new MatchContext(context, this.#options.predicates));
    return inRankOrder(prepared, selection).map(({ element }) => element);
  }

  /** For each element, in the order of declaration, why it is or is not in the prompt. */
  explain(elements: readonly ContextualPromptElement[], context: PromptExecutionContext): readonly ElementExplanation[] {
    const prepared = this.#prepare(elements);
    const told: ElementExplanation[] = new Array(elements.length);
    const tell =
      (slot: ElementExplanation['slot']) =>
      ({ key: id, type, index }: CompiledElement, verdict: ElementVerdict): void => {
        told[index] = { id, type, slot, ...verdict };
      };
    for (const one of prepared.all) tell('volatile')(one, { in: false, because: 'never' });
    selectRanked(prepared.fixed, new MatchContext({}), this.#options.stableLimits ?? {}, tell('stable'));
    this.#match(prepared, new MatchContext(context, this.#options.predicates), Infinity, tell('volatile'));
    return told;
  }

  #match(
    { matched, candidates, takenGroups }: PreparedElements,
    context: MatchContext,
    roomTokens = Infinity,
    explain?: Parameters<typeof selectRanked>[3],
  ): Selection {
    const { maxElements, maxPerType, maxTokens = Infinity } = this.#limits;
    const limits = { maxElements, maxPerType, maxTokens: Math.min(maxTokens, roomTokens) };
    return selectRanked(explain === undefined ? candidates(context) : matched, context, limits, explain, takenGroups);
  }

  #layOut(layout: Layout, capabilities: Capabilities, roomTokens: number): Fitted {
    const first: Stored | undefined = layout.current[0];
    if (first === undefined) {
      const { messages, tools } = layoutMessages({ ...layout, placement: 'leading' }, capabilities);
      return { request: { messages, tools, blocks: [] }, kept: 0, dropped: 0, historyTokens: 0 };
    }
    // A talk is known by its first message, whose identity no other talk shares.
    const head = layout.history[0] ?? first;
    let fit = this.#conversations.get(head);
    if (fit === undefined) {
      fit = createConversation(this.#countMessage, ({ text }) => this.#countText(text));
      this.#conversations.set(head, fit);
    }
    return fit(layout, capabilities, roomTokens);
  }
}

const NO_ELEMENTS: readonly ContextualPromptElement[] = [];
const NO_BLOCKS: readonly Block[] = [];
const NO_HISTORY: readonly ChatMessage[] = [];
const EMPTY: ChatMessage = { role: 'user', content: '' };
/** Codes of what was left out for want of room. */
const CUT = /_(?:limit|trimmed)$/;

/** The stable parts, and the texts that they are made of beside the elements: each the same string in every turn. */
function stablePartsOf(
  { systemPrompts }: PromptComponents,
  persona: IPersonaDefinition | undefined,
  { stableText }: PreparedElements,
): { readonly parts: Parts; readonly texts: readonly string[] } {
  const own = persona === undefined ? {} : renderPersona(persona);
  if (systemPrompts === undefined) return { parts: { ...own, elements: stableText }, texts: Object.values(own) };
  const contents = [...systemPrompts].sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0)).map(({ content }) => content);
  const { limits = '' } = own;
  return { parts: { system: contents.join('\n\n'), elements: stableText, limits }, texts: [...contents, limits] };
}

function withTexts(context: PromptExecutionContext, { history, current }: Talk, depth: number): PromptExecutionContext {
  if (depth === 0 || context.recentTexts !== undefined) return context;
  return { ...context, recentTexts: recentTexts(history, current.map(textOf).join('\n'), depth) };
}

function inRankOrder({ always }: PreparedElements, { chosen }: Selection): readonly CompiledElement[] {
  if (always.chosen.length === 0) return chosen;
  return [...always.chosen, ...chosen].sort((a, b) => b.priority - a.priority || a.index - b.index);
}

/** Counts each text once, as long as it is among the last ones asked for. */
function rememberCounts(countTokens: CountTokens): CountTokens {
  const counts = new Map<string, number>();
  return (text) => {
    const known = counts.get(text);
    if (known !== undefined) return known;
    if (counts.size >= COUNTED_TEXTS) counts.clear();
    const tokens = countTokens(text);
    counts.set(text, tokens);
    return tokens;
  };
}
