import type { IPersonaDefinition, ITool } from '@x/core';
import { createAdaptPersonalityTool } from '@x/hexaco';
import type { EmergentConfig } from './personality-options.js';

/** The tools that a persona's features bring: `adapt_personality` when self-improvement is on. */
export function personaTools(persona: IPersonaDefinition, emergent: EmergentConfig | undefined): readonly ITool[] {
  const { enabled = false, personality = {} } = emergent?.selfImprovement ?? {};
  if (!enabled) return [];
  return [
    createAdaptPersonalityTool({
      personalityTraits: persona.personalityTraits,
      maxDeltaPerSession: personality.maxDeltaPerSession,
      approve: personality.approve,
    }) as ITool,
  ];
}
