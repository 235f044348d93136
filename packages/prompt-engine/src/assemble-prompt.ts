import {
  type Block,
  type Capabilities,
  type ChatMessage,
  type ContextualPromptElement,
  type CountTokens,
  estimateMessageTokens,
  estimateToolTokens,
  type IPersonaDefinition,
  type Layout,
  type Parts,
  textOf,
} from '@x/core';
import { chooseTools } from './choose-tools.js';
import { createFitting } from './conversation.js';
import { createBudget } from './create-budget.js';
import { nextTiming } from './element-timing.js';
import type { PromptEngineOptions } from './engine-options.js';
import { MatchContext } from './match-context.js';
import type { PreparedElements } from './prepare-elements.js';
import type { PromptExecutionContext, PromptIssue, Report } from './prompt-context.js';
import { capabilitiesOf, DEFAULT_FORMAT } from './prompt-formats.js';
import type { ModelTargetInfo, PromptComponents, PromptEngineResult } from './prompt-types.js';
import { readInput } from './read-input.js';
import { recentTexts } from './recent-texts.js';
import { renderElements, tokensOf } from './render-elements.js';
import { PRECEDENCE, renderPersona } from './render-persona.js';
import { renderRetrieved } from './render-records.js';
import { renderState } from './render-state.js';
import { inRankOrder, reportLeft, type Selection } from './select-elements.js';
import { splitTalk, type Talk } from './split-talk.js';

/** What an engine lends to the making of its prompts. */
export interface Workshop {
  readonly options: PromptEngineOptions;
  readonly formats: { readonly [format: string]: Capabilities };
  readonly countTokens: CountTokens;
  readonly prepare: (elements: readonly ContextualPromptElement[]) => PreparedElements;
  readonly match: (elements: PreparedElements, context: MatchContext, roomTokens: number) => Selection;
}

/** Texts whose token counts are remembered. */
const COUNTED_TEXTS = 64;
/** What the frames around notes cost: their rule in the system prompt, fence and opening line. */
const FRAME_TOKENS = 130;

/** Makes what turns components and context into the prompt of one turn; it remembers counts and lists, no contents of a talk. */
export function createAssembly({ options, formats, countTokens, prepare, match }: Workshop) {
  const countText = rememberCounts(countTokens);
  const countMessage = (message: ChatMessage): number => estimateMessageTokens(message, countTokens);
  const layOut = createFitting(countMessage, ({ text }) => countText(text));

  const assemble = (
    components: PromptComponents,
    modelTargetInfo: ModelTargetInfo,
    executionContext: PromptExecutionContext,
    templateName: string | undefined,
    trustsHistory = components.userInput !== undefined && components.userInput !== null,
  ): PromptEngineResult => {
    const format = templateName ?? modelTargetInfo.promptFormatType ?? DEFAULT_FORMAT;
    const capabilities = capabilitiesOf(modelTargetInfo, format, formats);
    const issues: PromptIssue[] = [];
    const report: Report = (code, severity, message, details) => void issues.push({ code, severity, message, ...(details && { details }) });
    const { activePersona: persona } = executionContext;
    const { toolManifest: manifest = {}, toJsonSchema } = options;

    const tools = chooseTools(components.tools ?? [], modelTargetInfo, { personaId: persona?.id, manifest, toJsonSchema }, report);
    const elements = prepare(persona?.contextualPromptElements ?? NO_ELEMENTS);
    reportLeft(elements.always, report);
    const stable = stablePartsOf(components, persona, elements);
    const input = readInput(components, modelTargetInfo, executionContext.turn, report);
    const talk = splitTalk(components.conversationHistory ?? NO_HISTORY, input, report, trustsHistory);

    const toolTokens = tools.specs.reduce((tokens, tool) => tokens + estimateToolTokens(tool, countTokens), 0);
    const stableTokens = stable.texts.reduce((tokens, text) => tokens + countText(text), tokensOf(elements.always.chosen));
    const userTokens = talk.current.reduce((tokens, message) => tokens + countMessage(message), 0);
    const budget = createBudget(modelTargetInfo, { system: stableTokens + FRAME_TOKENS, tools: toolTokens, user: userTokens });

    const context = new MatchContext(withTexts(executionContext, talk, elements.scanDepth), options.predicates, report);
    const state = renderState(context, persona, report);
    const stateTokens = countText(state);
    budget.spend(stateTokens);
    const selection = match(elements, context, budget.left());
    reportLeft(selection, report);
    const matchedTokens = tokensOf(selection.chosen);
    budget.spend(matchedTokens);
    const retrievedRoom = Math.min(options.maxRetrievedTokens ?? Math.floor(budget.tokens / 5), budget.left());
    const retrieved = renderRetrieved(components.retrievedContext ?? '', retrievedRoom, countTokens, report);
    budget.spend(retrieved.tokens);

    const volatile: Parts = { state, elements: renderElements(selection.chosen), retrieved: retrieved.text };
    const layout: Layout = {
      stable: stable.parts,
      tools: tools.specs,
      history: talk.history,
      blocks: components.blocks ?? NO_BLOCKS,
      volatile,
      current: talk.current as Layout['current'],
      placement: options.placement,
    };
    const { request, kept, dropped, historyTokens, isSound } = layOut(layout, capabilities, budget.left());
    // The layout knows which messages are new, so that only they are looked at; a history that is not sound is rare.
    if (!isSound && trustsHistory) return assemble(components, modelTargetInfo, executionContext, templateName, false);
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
        selectedContextualElementIds: inRankOrder(elements.always, selection).map(({ key }) => key),
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
  };
  return assemble;
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
  const contents = systemTexts(systemPrompts);
  if (contents.length > 0) contents.push(PRECEDENCE);
  const { limits = '' } = own;
  return { parts: { system: contents.join('\n\n'), elements: stableText, limits }, texts: [...contents, limits] };
}

/** The texts by priority; an entry without text says nothing. */
function systemTexts(prompts: NonNullable<PromptComponents['systemPrompts']>): string[] {
  const kept: { readonly content: string; readonly priority: number }[] = [];
  for (const one of prompts) {
    const { content, priority = 0 } = typeof one === 'string' ? { content: one } : (one ?? { content: '' });
    if (typeof content === 'string' && content.trim() !== '') kept.push({ content, priority });
  }
  if (kept.length > 1) kept.sort((a, b) => a.priority - b.priority);
  return kept.map(({ content }) => content);
}

function withTexts(context: PromptExecutionContext, { history, current }: Talk, depth: number): PromptExecutionContext {
  if (depth === 0 || context.recentTexts !== undefined) return context;
  return { ...context, recentTexts: recentTexts(history, current.map(textOf).join('\n'), depth) };
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
