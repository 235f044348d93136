import { type CompactorOptions, compactor, type Summarize, summarizeWith } from '@x/compactor';
import type { Clock, IChatModel, IPersonaDefinition, IUtilityAI, Random, ResolveModel, SentimentTrackingConfig, TurnHook } from '@x/core';
import { type DriftHookOptions, driftHook, hexacoHook } from '@x/hexaco';
import { type MetapromptHookOptions, metapromptHook } from '@x/metaprompt';
import { type PromptHookOptions, promptHook } from '@x/prompt-engine';
import { HybridUtilityAI, LLMUtilityAI, StatisticalUtilityAI, sentimentHook } from '@x/sentiment';
import { ConfigurationError } from './errors.js';
import type { EmergentConfig } from './personality-options.js';

export interface FeatureOptions {
  readonly persona: IPersonaDefinition;
  readonly utilityAI?: Pick<IUtilityAI, 'analyzeSentiment'> | undefined;
  readonly emergent?: EmergentConfig | undefined;
  /** Settings of the prompt beside the persona: imprints, retrieval, predicates, limits, the hour. */
  readonly prompt?: Omit<PromptHookOptions, 'persona'> | undefined;
  /** `local` answers every preset without a model. Default: as each metaprompt says. */
  readonly metapromptMode?: 'llm' | 'local' | undefined;
  /** Time-out, daily tokens, limits of the evidence and prices of the metaprompts. */
  readonly metaprompts?: Omit<MetapromptHookOptions, 'persona' | 'mode' | 'clock'> | undefined;
  /**
   * Folds the history before it grows past `maxTokens`; without it the history is sent whole. `summarize` may be left out
   * where there is a model: it then writes the summaries.
   */
  readonly compaction?: (Omit<CompactorOptions, 'summarize'> & { readonly summarize?: Summarize | undefined }) | undefined;
  /** Writes summaries, and scores where a persona asks for the method `llm`; `GMI` passes its own. */
  readonly summaryModel?: (() => IChatModel) | undefined;
  /** For scorers that name a model. */
  readonly resolveModel?: ResolveModel | undefined;
  /** Lets traits drift with how the talk goes, within bounds. Default off. */
  readonly drift?: Omit<DriftHookOptions, 'persona'> | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/**
 * The features of a persona as hooks, in the order in which a turn needs them: sentiment scores before traits and prompt
 * are composed; the compactor sees the history before it is sent; metaprompts decide when the turn is over.
 */
export function personaFeatures({
  persona,
  utilityAI,
  prompt,
  metapromptMode,
  metaprompts,
  compaction,
  summaryModel,
  resolveModel,
  drift,
  clock,
}: FeatureOptions): readonly TurnHook[] {
  const tracking = persona.sentimentTracking;
  return [
    ...(tracking?.enabled
      ? [
          sentimentHook({
            ...tracking,
            utilityAI: utilityAI ?? scorerOf(tracking, summaryModel, resolveModel),
            defaultLanguage: persona.defaultLanguage,
            clock,
          }),
        ]
      : []),
    hexacoHook({ persona }),
    ...(drift ? [driftHook({ ...drift, persona })] : []),
    adapts(persona) ? promptHook({ ...prompt, persona }) : withoutState(promptHook({ ...prompt, persona })),
    ...(compaction
      ? [{ name: 'compactor', beforeLLM: compactor({ clock, ...compaction, summarize: compaction.summarize ?? writerOf(summaryModel) }) }]
      : []),
    metapromptHook({ ...metaprompts, persona, mode: metapromptMode, clock }),
  ];
}

/** The method `llm` asks a model and falls back on code; every other method is code, the hook's own default. */
function scorerOf(
  { method }: SentimentTrackingConfig,
  model: (() => IChatModel) | undefined,
  resolveModel: ResolveModel | undefined,
): IUtilityAI | undefined {
  if (method !== 'llm' || !model) return undefined;
  return new HybridUtilityAI({ llm: new LLMUtilityAI({ resolveModel: resolveModel ?? model }), statistical: new StatisticalUtilityAI() });
}

/** A persona that nothing ever changes needs no note of its mood, nor the tokens for it. */
function adapts({ sentimentTracking, metaPrompts = [], moodAdaptation }: IPersonaDefinition): boolean {
  return sentimentTracking?.enabled === true || metaPrompts.length > 0 || moodAdaptation !== undefined;
}

function withoutState(hook: TurnHook): TurnHook {
  return {
    ...hook,
    async compose(turn) {
      const parts = (await hook.compose?.(turn)) ?? {};
      const { state: _state, ...volatile } = parts.volatile ?? {};
      return { ...parts, volatile };
    },
  };
}

function writerOf(model: (() => IChatModel) | undefined): Summarize {
  if (!model) throw new ConfigurationError('compaction needs summarize where there is no model. Pass one of both.');
  return (older, request) => summarizeWith(model())(older, request);
}
