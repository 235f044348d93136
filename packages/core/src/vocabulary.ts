/** The moods an agent can be in. */
export const GMIMood = {
  NEUTRAL: 'neutral',
  FOCUSED: 'focused',
  EMPATHETIC: 'empathetic',
  CURIOUS: 'curious',
  ASSERTIVE: 'assertive',
  ANALYTICAL: 'analytical',
  FRUSTRATED: 'frustrated',
  CREATIVE: 'creative',
} as const;
export type GMIMood = (typeof GMIMood)[keyof typeof GMIMood];

/** What can happen in a turn and wake a metaprompt. The sentiment tracker raises the first five. */
export const GMIEventType = {
  USER_FRUSTRATED: 'user_frustrated',
  USER_CONFUSED: 'user_confused',
  USER_SATISFIED: 'user_satisfied',
  ERROR_THRESHOLD_EXCEEDED: 'error_threshold_exceeded',
  LOW_ENGAGEMENT: 'low_engagement',
  TASK_COMPLEXITY_MISMATCH: 'task_complexity_mismatch',
  SKILL_LEVEL_CHANGE_DETECTED: 'skill_level_change_detected',
  PERSONA_DRIFT: 'persona_drift',
} as const;
export type GMIEventType = (typeof GMIEventType)[keyof typeof GMIEventType];

/** The kinds of contextual element; each has one documented place in the prompt. */
export const ContextualElementType = {
  SYSTEM_INSTRUCTION_ADDON: 'system_instruction_addon',
  FEW_SHOT_EXAMPLE: 'few_shot_example',
  BEHAVIORAL_GUIDANCE: 'behavioral_guidance',
  TASK_SPECIFIC_INSTRUCTION: 'task_specific_instruction',
  ERROR_HANDLING_GUIDANCE: 'error_handling_guidance',
  INTERACTION_STYLE_MODIFIER: 'interaction_style_modifier',
  DOMAIN_CONTEXT: 'domain_context',
  ETHICAL_GUIDELINE: 'ethical_guideline',
  OUTPUT_FORMAT_SPEC: 'output_format_spec',
  REASONING_PROTOCOL: 'reasoning_protocol',
  USER_PROMPT_AUGMENTATION: 'user_prompt_augmentation',
  ASSISTANT_PROMPT_AUGMENTATION: 'assistant_prompt_augmentation',
} as const;
export type ContextualElementType = (typeof ContextualElementType)[keyof typeof ContextualElementType];

/** Skill of the user, lowest first. `novice` and `beginner` are two steps of one scale. */
export const SKILL_LEVELS = ['novice', 'beginner', 'intermediate', 'advanced', 'expert'] as const;
export type SkillLevel = (typeof SKILL_LEVELS)[number];

/** Complexity of the task, lowest first. */
export const TASK_COMPLEXITIES = ['simple', 'moderate', 'complex', 'advanced'] as const;
export type TaskComplexity = (typeof TASK_COMPLEXITIES)[number];

/** The names of the six HEXACO traits; each value runs from 0 to 1, with 0.5 in the middle. */
export const TRAIT_NAMES = ['honesty', 'emotionality', 'extraversion', 'agreeableness', 'conscientiousness', 'openness'] as const;
export type TraitName = (typeof TRAIT_NAMES)[number];

// Words of state mostly come as they are stored.
const IS_NORMAL = /^[a-z_]+$/;
const MOODS: readonly string[] = Object.values(GMIMood);
const COMPLEXITY_SYNONYMS: ReadonlyMap<string, TaskComplexity> = new Map([
  ['low', 'simple'],
  ['easy', 'simple'],
  ['medium', 'moderate'],
  ['high', 'complex'],
  ['hard', 'complex'],
  ['highly_complex', 'advanced'],
]);

/** Reads a mood in any letter case; `undefined` when there is no such mood. */
export function parseMood(value: unknown): GMIMood | undefined {
  const word = normal(value);
  return MOODS.includes(word) ? (word as GMIMood) : undefined;
}

/** Reads a skill level in any letter case; `undefined` when it is not on the scale. */
export function parseSkillLevel(value: unknown): SkillLevel | undefined {
  const word = normal(value);
  return SKILL_LEVELS.find((level) => level === word);
}

/** Reads a task complexity in any letter case and with the synonyms low, easy, medium, high, hard, highly_complex. */
export function parseTaskComplexity(value: unknown): TaskComplexity | undefined {
  const word = normal(value);
  return TASK_COMPLEXITIES.find((level) => level === word) ?? COMPLEXITY_SYNONYMS.get(word);
}

function normal(value: unknown): string {
  if (typeof value !== 'string') return '';
  return IS_NORMAL.test(value)
    ? value
    : value
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_');
}

/** The short names of the preset metaprompts; a preset's full id is `gmi_<name>`. `all` stands for all of them. */
export const PRESET_NAMES = [
  'frustration_recovery',
  'confusion_clarification',
  'satisfaction_reinforcement',
  'error_recovery',
  'engagement_boost',
] as const;
