import { AgentOS, AgentOSResponseChunkType, type IPersonaDefinition } from '@x/agentos';

const tutor: IPersonaDefinition = {
  id: 'tutor',
  name: 'Tutor',
  description: 'A patient programming tutor.',
  version: '1.0.0',
  baseSystemPrompt: 'You are a patient programming tutor.',
  defaultProviderId: 'openai',
  defaultModelId: 'gpt-4o-mini',
  sentimentTracking: {
    enabled: true,
    presets: ['frustration_recovery', 'confusion_clarification', 'satisfaction_reinforcement'],
  },
  metaPrompts: [
    {
      id: 'gmi_self_trait_adjustment',
      promptTemplate: `Review the recent conversation and decide if any adjustments are warranted.
Evidence: {{evidence}}
Current mood: {{current_mood}}
User skill: {{user_skill}}
Task complexity: {{task_complexity}}
Respond JSON with optional fields: updatedGmiMood, updatedUserSkillLevel, updatedTaskComplexity, adjustmentRationale, newMemoryImprints.`,
      trigger: { type: 'turn_interval', intervalTurns: 5 },
      temperature: 0.3,
      maxOutputTokens: 512,
    },
  ],
};

const agentos = await AgentOS.create({ personas: [tutor] });
for await (const chunk of agentos.processRequest({
  userId: 'user-42',
  sessionId: 'tutor-session-1',
  selectedPersonaId: 'tutor',
  textInput: 'I keep getting confused about recursion.',
})) {
  if (chunk.type === AgentOSResponseChunkType.TEXT_DELTA) process.stdout.write(chunk.textDelta);
}
await agentos.shutdown();
