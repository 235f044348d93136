import { AgentOS, AgentOSResponseChunkType, type IPersonaDefinition } from '@x/agentos';

const tutor: IPersonaDefinition = {
  id: 'tutor',
  name: 'Tutor',
  description: 'A patient programming tutor.',
  version: '1.0.0',
  baseSystemPrompt: 'You are a patient programming tutor. Confirm understanding after each concept.',
  defaultProviderId: 'openai',
  defaultModelId: 'gpt-4o-mini',

  // Adaptive surface 1: opt-in sentiment with three event-based presets
  sentimentTracking: {
    enabled: true,
    historyWindow: 10,
    consecutiveTurnsForTrigger: 2,
    presets: ['frustration_recovery', 'confusion_clarification', 'satisfaction_reinforcement'],
  },

  // Adaptive surface 2: periodic self-reflection every 5 turns
  metaPrompts: [
    {
      id: 'gmi_self_trait_adjustment',
      description: 'Periodic self-check on whether the user is who I think they are.',
      promptTemplate: `Review the last few turns of conversation.

Evidence: {{evidence}}
Current mood: {{current_mood}}
Assumed user skill: {{user_skill}}
Assumed task complexity: {{task_complexity}}

If the evidence suggests my assumptions are off, propose updates.
Respond JSON with optional fields:
- updatedGmiMood: one of [neutral, focused, empathetic, curious, analytical, creative]
- updatedUserSkillLevel: one of [novice, beginner, intermediate, advanced, expert]
- updatedTaskComplexity: one of [simple, moderate, complex, advanced]
- adjustmentRationale: brief explanation
- newMemoryImprints: array of { key, value, description } for facts worth keeping.`,
      trigger: { type: 'turn_interval', intervalTurns: 5 },
      temperature: 0.3,
      maxOutputTokens: 512,
    },
  ],

  // Adaptive surface 3: criteria-matched behavioral guidance per turn
  contextualPromptElements: [
    {
      id: 'beginner-pace',
      type: 'behavioral_guidance',
      content: 'Slow down. One concept at a time. Confirm understanding before moving on.',
      criteria: { userSkillLevel: 'beginner' },
    },
    {
      id: 'expert-pace',
      type: 'behavioral_guidance',
      content: 'Skip basics. Lead with the non-obvious part. Cite names of patterns and APIs directly.',
      criteria: { userSkillLevel: 'expert' },
    },
    {
      id: 'empathetic-tone',
      type: 'behavioral_guidance',
      content: 'Acknowledge the difficulty. Offer one concrete next step instead of a list.',
      criteria: { mood: 'empathetic' },
    },
  ],
};

const agentos = await AgentOS.create({ personas: [tutor] });
const gmi = agentos.gmi({ userId: 'user-42', sessionId: 'tutor-session-1', selectedPersonaId: 'tutor' });

async function send(textInput: string) {
  for await (const chunk of agentos.processRequest({
    userId: 'user-42',
    sessionId: 'tutor-session-1',
    selectedPersonaId: 'tutor',
    textInput,
  })) {
    if (chunk.type === AgentOSResponseChunkType.TEXT_DELTA) process.stdout.write(chunk.textDelta);
  }
  await gmi.drain(); // only so that the next line tells what the background did
  const { mood, skill, complexity } = await gmi.state();
  console.log(`\n  [${mood}, ${skill}, ${complexity}]`);
}

await send('What is a function?');
await send('That did not help. I still do not get it, this is so frustrating!');
await send('Your explanation is useless, I hate this.');
await send('It is broken again, the third time now!');
await send('I am stuck and annoyed.');
await send('What should I do next?');
await agentos.shutdown();
