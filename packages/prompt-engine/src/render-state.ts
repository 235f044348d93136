import { type IPersonaDefinition, ownValue, parseMood } from '@x/core';
import type { MatchContext } from './match-context.js';
import { preferenceLines } from './preferences.js';
import type { Report } from './prompt-context.js';

const LANGUAGE_TAG = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;
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
  { mood, skill, complexity, source }: MatchContext,
  persona: Pick<IPersonaDefinition, 'moodAdaptation'> | undefined,
  report: Report = () => {},
): string {
  const { userPreferences } = source;
  const language = source.language?.trim().replaceAll('_', '-');
  const moodPrompt = lineFor(mood, persona?.moodAdaptation?.moodPrompts ?? {});
  const moodWords = ownValue(MOOD_WORDS, mood);
  const skillWords = ownValue(SKILL_WORDS, skill);
  const complexityWords = ownValue(COMPLEXITY_WORDS, complexity);
  const lines: string[] = [];
  if (moodWords) lines.push(`Your mood is ${moodWords}.`);
  if (moodWords && moodPrompt) lines.push(moodPrompt);
  if (skillWords) lines.push(`The user is ${skillWords}.`);
  if (complexityWords) lines.push(`The task is ${complexityWords}.`);
  if (language !== undefined && LANGUAGE_TAG.test(language)) lines.push(`The user writes in ${language}.`);
  if (userPreferences !== undefined) lines.push(...preferenceLines(userPreferences, report));
  return lines.join('\n');
}

/** A persona's line for a mood, whose name may be written there in any letter case. */
function lineFor(mood: string, prompts: { readonly [mood: string]: string }): string | undefined {
  const written = Object.hasOwn(prompts, mood) ? mood : Object.keys(prompts).find((name) => parseMood(name) === mood);
  return written === undefined ? undefined : prompts[written];
}
