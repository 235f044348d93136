import { type ContextualPromptElement, type ElementCriteria, estimateTextTokens, freezeDeep } from '@x/core';
import { createAssembly } from './assemble-prompt.js';
import { checkLimits } from './check-limits.js';
import { type CompiledCriteria, compileCriteria, criteriaHold, type KnownPredicates } from './compile-criteria.js';
import type { CompiledElement } from './compile-elements.js';
import type { PromptEngineOptions } from './engine-options.js';
import { MatchContext } from './match-context.js';
import { createElementCache, type PreparedElements } from './prepare-elements.js';
import type { PromptExecutionContext } from './prompt-context.js';
import { PROMPT_FORMATS } from './prompt-formats.js';
import type { ModelTargetInfo, PromptComponents, PromptEngineResult } from './prompt-types.js';
import { type ElementLimits, type ElementVerdict, inRankOrder, type Selection, selectRanked } from './select-elements.js';

/** Why an element is or is not in the prompt. */
export type ElementExplanation = ElementVerdict & {
  readonly id: string;
  readonly type: ContextualPromptElement['type'];
  /** `stable`: it is in every prompt of a session. */
  readonly slot: 'stable' | 'volatile';
};

const DEFAULT_MAX_ELEMENTS = 10;
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
  readonly #prepare: (elements: readonly ContextualPromptElement[]) => PreparedElements;
  readonly #assemble: ReturnType<typeof createAssembly>;
  readonly #criteria = new WeakMap<object, CompiledCriteria>();

  constructor(options: PromptEngineOptions = {}) {
    checkLimits(options);
    const { countTokens = estimateTextTokens, predicates = {}, stableLimits = {} } = options;
    this.#options = options;
    this.#limits = { maxElements: DEFAULT_MAX_ELEMENTS, ...options.limits };
    this.#predicates = new Set(Object.keys(predicates));
    this.#prepare = createElementCache({ predicates: this.#predicates, countTokens, stableLimits });
    this.#assemble = createAssembly({
      options,
      formats: { ...PROMPT_FORMATS, ...options.formats },
      countTokens,
      prepare: this.#prepare,
      match: (elements, context, roomTokens) => this.#match(elements, context, roomTokens),
    });
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
    return this.#assemble(components, modelTargetInfo, executionContext, templateName);
  }

  /**
   * Whether criteria hold. None given always hold. Text criteria are judged by this turn alone; chance, stickiness and
   * rest belong to an element and are seen by {@link selectElements}.
   *
   * @throws {@link CriteriaInvalidError}, {@link PatternUnsafeError}
   */
  evaluateCriteria(criteria: ElementCriteria | undefined, context: PromptExecutionContext = {}): boolean {
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
    return inRankOrder(prepared.always, selection).map(({ element }) => element);
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
    const limits = { roomTokens, ...this.#limits };
    return selectRanked(explain === undefined ? candidates(context) : matched, context, limits, explain, takenGroups);
  }
}
