import { type IPersonaDefinition, normalizePersonaDefinition } from '@x/agentos';

const supportAgent: IPersonaDefinition = {
  id: 'support_agent',
  name: 'Support Agent',
  description: 'Answers product questions from the docs.',
  version: '1.0.0',
  baseSystemPrompt: 'You are the support agent for Acme.',
  sentimentTracking: {
    enabled: true,
    presets: ['frustration_recovery', 'confusion_clarification', 'error_recovery'],
  },
};

const custom: IPersonaDefinition = {
  ...supportAgent,
  metaPrompts: [
    {
      id: 'gmi_frustration_recovery',
      promptTemplate: `Custom frustration-recovery prompt for this product domain.
Evidence: {{recent_conversation}}
Errors: {{recent_errors}}
Respond JSON: { updatedGmiMood, adjustmentRationale, recoveryStrategy }.`,
      trigger: { type: 'event_based', eventName: 'user_frustrated' },
      temperature: 0.3,
    },
  ],
  sentimentTracking: { enabled: true, presets: ['frustration_recovery'] },
};

for (const persona of [supportAgent, custom]) {
  for (const { id, temperature, promptTemplate } of normalizePersonaDefinition(persona).metaPrompts ?? []) {
    const text = typeof promptTemplate === 'string' ? promptTemplate : promptTemplate.template;
    console.log(id, temperature, text.startsWith('Custom') ? 'own template' : "preset's template");
  }
}
