import { ContextualElementType, PromptEngine } from '@x/agentos';

const persona = {
  contextualPromptElements: [
    {
      id: 'beginner-tone',
      type: ContextualElementType.BEHAVIORAL_GUIDANCE,
      content: 'Use plain language, avoid jargon, and confirm understanding after each concept.',
      criteria: { userSkillLevel: 'beginner' },
    },
    {
      id: 'expert-tone',
      type: ContextualElementType.BEHAVIORAL_GUIDANCE,
      content: 'Be terse. Skip background. Cite specifics by name.',
      criteria: { userSkillLevel: 'expert' },
    },
    {
      id: 'frustrated-error-handling',
      type: ContextualElementType.ERROR_HANDLING_GUIDANCE,
      content: "When the previous response missed the user's intent, acknowledge briefly and offer a concrete alternative.",
      criteria: { mood: 'empathetic' },
    },
  ],
};

const engine = new PromptEngine();
for (const context of [
  { userSkillLevel: 'beginner', currentMood: 'neutral' },
  { userSkillLevel: 'expert', currentMood: 'empathetic' },
]) {
  const chosen = engine.selectElements(persona.contextualPromptElements, context);
  console.log(context.userSkillLevel, context.currentMood, '→', chosen.map(({ id }) => id).join(', '));
}
