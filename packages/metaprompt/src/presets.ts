import { freezeDeep, GMIEventType, GMIMood, type MetaPromptDefinition, SKILL_LEVELS, TASK_COMPLEXITIES } from '@x/core';
import { updatesSchema } from './output-schema.js';
import {
  boostEngagement,
  clarifyConfusion,
  recoverFromErrors,
  recoverFromFrustration,
  reflectLocally,
  reinforceSatisfaction,
} from './preset-handlers.js';

const ALL = Object.values(GMIMood);
const CALM = ALL.filter((mood) => mood !== GMIMood.FRUSTRATED);
const CAREFUL = [GMIMood.NEUTRAL, GMIMood.FOCUSED, GMIMood.ANALYTICAL];
const LIVELY = [GMIMood.NEUTRAL, GMIMood.CURIOUS, GMIMood.CREATIVE];

const STATE_LINES = `What is assumed now: mood {{current_mood}}, skill of the user {{user_skill}}, complexity of the task {{task_complexity}}.`;
const skillLine = `- updatedUserSkillLevel, only if the evidence contradicts the assumption: ${SKILL_LEVELS.join(', ')}`;
const complexityLine = `- updatedTaskComplexity, only if it should change: ${TASK_COMPLEXITIES.join(', ')}`;
const moodLine = (moods: readonly string[]): string => `- updatedGmiMood, only if it should change: ${moods.join(', ')}`;
const IMPRINT_LINE =
  '- newMemoryImprints: at most three facts worth keeping, each { "key", "value" }, taken only from what the user said of themselves';

/** The five metaprompts that answer to the events of the sentiment tracker, in a fixed order. Frozen; copy to change. */
export const METAPROMPT_PRESETS: readonly MetaPromptDefinition[] = freezeDeep([
  {
    id: 'gmi_frustration_recovery',
    description: 'The user is frustrated: find a warmer and simpler way on.',
    promptTemplate: [
      'A user of this assistant shows frustration. Decide how the assistant should treat the next turns.',
      STATE_LINES,
      'Reading of the last message: {{current_sentiment}}, score {{sentiment_score}} on a scale from -1 to 1, {{consecutive_frustration}} such turn(s) in a row.',
      'Recent conversation:',
      '{{recent_conversation}}',
      'Recent failures of the assistant itself:',
      '{{recent_errors}}',
      'Give these fields:',
      moodLine(ALL),
      skillLine,
      complexityLine,
      '- adjustmentRationale: one sentence',
      '- recoveryStrategy: one sentence on what to do differently',
      IMPRINT_LINE,
    ].join('\n'),
    modelId: undefined,
    providerId: undefined,
    maxOutputTokens: 512,
    temperature: 0.3,
    trigger: { type: 'event_based', eventName: GMIEventType.USER_FRUSTRATED },
    outputSchema: updatesSchema({ moods: ALL, strategy: 'recoveryStrategy', required: ['adjustmentRationale', 'recoveryStrategy'] }),
    handler: recoverFromFrustration,
  },
  {
    id: 'gmi_confusion_clarification',
    description: 'The user did not follow: find a clearer way to say it.',
    promptTemplate: [
      'A user of this assistant did not follow the last explanation. Decide how it should go on.',
      STATE_LINES,
      'Reading of the last message: {{current_sentiment}}, {{consecutive_confusion}} such turn(s) in a row. Words that point to confusion:',
      '{{confusion_keywords}}',
      'Recent conversation:',
      '{{recent_conversation}}',
      'Give these fields:',
      moodLine(CALM),
      complexityLine,
      '- adjustmentRationale: one sentence',
      '- clarificationStrategy: one sentence on how to explain it next',
      IMPRINT_LINE,
    ].join('\n'),
    modelId: undefined,
    providerId: undefined,
    maxOutputTokens: 512,
    temperature: 0.3,
    trigger: { type: 'event_based', eventName: GMIEventType.USER_CONFUSED },
    outputSchema: updatesSchema({
      moods: CALM,
      skill: false,
      strategy: 'clarificationStrategy',
      required: ['adjustmentRationale', 'clarificationStrategy'],
    }),
    handler: clarifyConfusion,
  },
  {
    id: 'gmi_satisfaction_reinforcement',
    description: 'The user is pleased: keep what works and dare a little more.',
    promptTemplate: [
      'A user of this assistant is pleased with it. Decide what to keep and whether more may be asked of the user.',
      STATE_LINES,
      'Reading of the last message: {{current_sentiment}}, score {{sentiment_score}} on a scale from -1 to 1, {{consecutive_satisfaction}} such turn(s) in a row.',
      'Recent conversation:',
      '{{recent_conversation}}',
      'Give these fields:',
      moodLine(CALM),
      skillLine,
      complexityLine,
      '- adjustmentRationale: one sentence',
      '- engagementStrategy: one sentence on what to build on',
      IMPRINT_LINE,
    ].join('\n'),
    modelId: undefined,
    providerId: undefined,
    maxOutputTokens: 512,
    temperature: 0.3,
    trigger: { type: 'event_based', eventName: GMIEventType.USER_SATISFIED },
    outputSchema: updatesSchema({ moods: CALM, strategy: 'engagementStrategy', required: ['adjustmentRationale', 'engagementStrategy'] }),
    handler: reinforceSatisfaction,
  },
  {
    id: 'gmi_error_recovery',
    description: 'Several steps failed: work more carefully.',
    promptTemplate: [
      'This assistant has failed several times in a row. Decide how it should work now.',
      STATE_LINES,
      'Recent failures:',
      '{{recent_errors}}',
      'Recent conversation:',
      '{{recent_conversation}}',
      'Give these fields:',
      moodLine(CAREFUL),
      complexityLine,
      '- adjustmentRationale: one sentence',
      '- mitigationStrategy: one sentence on how to avoid the next failure',
      IMPRINT_LINE,
    ].join('\n'),
    modelId: undefined,
    providerId: undefined,
    maxOutputTokens: 512,
    temperature: 0.3,
    trigger: { type: 'event_based', eventName: GMIEventType.ERROR_THRESHOLD_EXCEEDED },
    outputSchema: updatesSchema({
      moods: CAREFUL,
      skill: false,
      strategy: 'mitigationStrategy',
      required: ['adjustmentRationale', 'mitigationStrategy'],
    }),
    handler: recoverFromErrors,
  },
  {
    id: 'gmi_engagement_boost',
    description: 'The talk has gone flat: bring back some life.',
    promptTemplate: [
      'A user of this assistant has answered briefly and without colour for {{consecutive_neutral}} turn(s). Decide how to bring the talk back to life without pressing.',
      STATE_LINES,
      'Recent conversation:',
      '{{recent_conversation}}',
      'Give these fields:',
      moodLine(LIVELY),
      complexityLine,
      '- adjustmentRationale: one sentence',
      '- engagementStrategy: one sentence on what to try',
      IMPRINT_LINE,
    ].join('\n'),
    modelId: undefined,
    providerId: undefined,
    maxOutputTokens: 512,
    temperature: 0.5,
    trigger: { type: 'event_based', eventName: GMIEventType.LOW_ENGAGEMENT },
    outputSchema: updatesSchema({
      moods: LIVELY,
      skill: false,
      strategy: 'engagementStrategy',
      required: ['adjustmentRationale', 'engagementStrategy'],
    }),
    handler: boostEngagement,
  },
]);

/** The id of the periodic self-reflection. It has a handler of its own but no definition: the persona's author writes that. */
export const SELF_REFLECTION_ID = 'gmi_self_trait_adjustment';

/** The preset with this full id, such as `gmi_frustration_recovery`. */
export function getPresetMetaprompt(id: string): MetaPromptDefinition | undefined {
  return METAPROMPT_PRESETS.find((preset) => preset.id === id);
}

/** True for the five preset ids; the self-reflection is none. */
export function isPresetMetaprompt(id: string): boolean {
  return getPresetMetaprompt(id) !== undefined;
}

const OWN_HANDLERS: ReadonlySet<unknown> = new Set([reflectLocally, ...METAPROMPT_PRESETS.map(({ handler }) => handler)]);

/** False for the handlers of this package: they decide from state and events alone. */
export function readsTalk(handler: MetaPromptDefinition['handler']): boolean {
  return !OWN_HANDLERS.has(handler);
}

/** What a metaprompt does in mode `local`: its own handler, else that of the built-in with its id. */
export function localHandlerOf(definition: MetaPromptDefinition): MetaPromptDefinition['handler'] {
  return definition.handler ?? (definition.id === SELF_REFLECTION_ID ? reflectLocally : getPresetMetaprompt(definition.id)?.handler);
}
