import { type IPersonaDefinition, nearestWord } from '@x/core';

/** Shorter names are near to too many others. Ours. */
const SHORTEST_GUESSED = 6;

type Known<T> = { readonly [K in keyof T as string extends K ? never : K]-?: true };

// A map, so that a field which the persona gains or loses does not compile until it stands here.
const FIELDS: Known<IPersonaDefinition> = {
  id: true,
  name: true,
  description: true,
  version: true,
  label: true,
  baseSystemPrompt: true,
  defaultModelId: true,
  defaultProviderId: true,
  defaultModelCompletionOptions: true,
  modelTargetPreferences: true,
  costSavingStrategy: true,
  toolIds: true,
  allowedCapabilities: true,
  allowedInputModalities: true,
  allowedOutputModalities: true,
  voiceConfig: true,
  personalityTraits: true,
  moodAdaptation: true,
  defaultLanguage: true,
  sentimentTracking: true,
  metaPrompts: true,
  contextualPromptElements: true,
  activationKeywords: true,
  strengths: true,
  initialMemoryImprints: true,
  hardLimits: true,
  conversationContextConfig: true,
  memoryConfig: true,
  reasoningTraceConfig: true,
  heartbeat: true,
  customFields: true,
};

/** The field that an unknown name was probably meant to be; `undefined` for a known one and for a host's own. */
export function meantField(name: string): string | undefined {
  if (Object.hasOwn(FIELDS, name) || name.length < SHORTEST_GUESSED) return undefined;
  return nearestWord(name, Object.keys(FIELDS));
}
