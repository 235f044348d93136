import { type AgentState, type IPersonaDefinition, parseSkillLevel, parseTaskComplexity } from '@x/core';
import { readTraits } from '@x/hexaco';

/** The state of a lane in which nothing was said yet, as its persona wants it. */
export function initialState(persona: IPersonaDefinition): Partial<AgentState> {
  const fields = persona.customFields ?? {};
  const [user, task] = [fields['initialUserContext'], fields['initialTaskContext']].map((value) =>
    value && typeof value === 'object' ? (value as { [key: string]: unknown }) : {},
  );
  const domain = task?.['domain'] ?? persona.strengths?.[0];
  return {
    mood: persona.moodAdaptation?.defaultMood?.toLowerCase() ?? 'neutral',
    skill: parseSkillLevel(user?.['skillLevel']) ?? 'novice',
    complexity: parseTaskComplexity(task?.['complexity']) ?? 'moderate',
    ...(typeof domain === 'string' && { domain }),
    traits: readTraits(persona.personalityTraits).traits,
    imprints: Object.fromEntries((persona.initialMemoryImprints ?? []).map(({ key, value }) => [key, value])),
  };
}
