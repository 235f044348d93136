import { type IPersonaDefinition, parseMood, parseSkillLevel, parseTaskComplexity } from '@x/core';
import { preferenceLines } from './preferences.js';
import type { PromptExecutionContext, PromptIssue } from './prompt-context.js';

const MOOD_WORDS: { readonly [mood: string]: string } = {
  neutral: 'even and factual',
  focused: 'focused: keep to the matter',
  empathetic: 'empathetic: notice how the user feels before you solve',
  curious: 'curious: ask where it helps',
  assertive: 'assertive: say clearly what you recommend',
  analytical: 'analytical: take it apart step by step',
  frustrated: 'under strain: stay patient and brief',
  creative: 'creative: offer more than one idea',
};
const SKILL_WORDS: { readonly [skill: string]: string } = {
  novice: 'new to the subject: explain every term',
  beginner: 'a beginner: small steps, little jargon',
  intermediate: 'at an intermediate level: explain what is special, not the basics',
  advanced: 'advanced: go into depth',
  expert: 'an expert: be terse and precise',
};
const COMPLEXITY_WORDS: { readonly [complexity: string]: string } = {
  simple: 'simple: a short answer will do',
  moderate: 'of moderate complexity',
  complex: 'complex: give the answer an order',
  advanced: 'very complex: plan first, then answer in parts',
};

/**
 * The part `state`: mood, skill, complexity and language in words, the persona's line for the mood, and what the user
 * prefers. A value that is not known by its scale is left out: state never puts free text into a prompt.
 */
export function renderState(
  context: PromptExecutionContext,
  persona: Pick<IPersonaDefinition, 'moodAdaptation'> | undefined,
  report: (issue: PromptIssue) => void = () => {},
): string {
  const mood = parseMood(context.currentMood);
  const skill = parseSkillLevel(context.userSkillLevel);
  const complexity = parseTaskComplexity(context.taskComplexity);
  const moodPrompts = persona?.moodAdaptation?.moodPrompts ?? {};
  const language = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(context.language ?? '') ? context.language : undefined;
  return [
    mood && `Your mood is ${MOOD_WORDS[mood]}.`,
    mood && Object.hasOwn(moodPrompts, mood) ? moodPrompts[mood] : undefined,
    skill && `The user is ${SKILL_WORDS[skill]}.`,
    complexity && `The task is ${COMPLEXITY_WORDS[complexity]}.`,
    language && `The user writes in ${language}.`,
    ...preferenceLines(context.userPreferences ?? {}, report),
  ]
    .filter((line) => line !== undefined && line !== '')
    .join('\n');
}
