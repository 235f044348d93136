import { type AgentState, KEYS, type MetapromptContext, type MetapromptUpdates, SKILL_LEVELS, TASK_COMPLEXITIES } from '@x/core';
import { readAffect } from './read-affect.js';

type Handler = (context: MetapromptContext) => MetapromptUpdates | undefined;

/** One step down or up a scale, held within it; a value that is not on the scale stays. */
function step(scale: readonly string[], value: string, by: -1 | 1): string {
  const index = scale.indexOf(value);
  return index < 0 ? value : (scale[Math.min(scale.length - 1, Math.max(0, index + by))] ?? value);
}

const easier = (state: AgentState): string => step(TASK_COMPLEXITIES, state.complexity, -1);
const harder = (state: AgentState): string => step(TASK_COMPLEXITIES, state.complexity, 1);

/** Turns in a row after which one reading counts as a lasting one; ours. */
const LASTING_RUN = 3;

/** Warmth and smaller steps; after three such turns in a row also a lower guess of skill. */
export const recoverFromFrustration: Handler = ({ state }) => {
  const { frustrationRun } = readAffect(state);
  return {
    updatedGmiMood: 'empathetic',
    updatedTaskComplexity: easier(state),
    ...(frustrationRun >= LASTING_RUN && { updatedUserSkillLevel: step(SKILL_LEVELS, state.skill, -1) }),
    adjustmentRationale: `the user is frustrated, ${Math.max(1, frustrationRun)} turn(s) in a row`,
    recoveryStrategy: 'Name the difficulty in one sentence, then give a single next step that can be checked.',
  };
};

/** A clearer order of thought and smaller steps. */
export const clarifyConfusion: Handler = ({ state }) => ({
  updatedGmiMood: 'analytical',
  updatedTaskComplexity: easier(state),
  adjustmentRationale: 'the last explanation did not land',
  clarificationStrategy: 'Say it another way: one example first, then the rule that it shows.',
});

/** More room: after three such turns in a row a harder task and a higher guess of skill. */
export const reinforceSatisfaction: Handler = ({ state }) => {
  const { satisfactionRun } = readAffect(state);
  const lasting = satisfactionRun >= LASTING_RUN;
  return {
    updatedGmiMood: lasting ? 'curious' : 'focused',
    updatedTaskComplexity: lasting || state.complexity === 'simple' ? harder(state) : state.complexity,
    ...(lasting && { updatedUserSkillLevel: step(SKILL_LEVELS, state.skill, 1) }),
    adjustmentRationale: lasting ? 'several good turns in a row' : 'the last answer helped',
    engagementStrategy: 'Keep what worked and offer one step further.',
  };
};

/** Care before speed. */
export const recoverFromErrors: Handler = ({ state }) => ({
  updatedGmiMood: 'analytical',
  updatedTaskComplexity: easier(state),
  adjustmentRationale: 'several recent steps failed',
  mitigationStrategy: 'Check each precondition before the next attempt and say what is known to work.',
});

/** Another colour: curious first, then creative. */
export const boostEngagement: Handler = ({ state }) => ({
  updatedGmiMood: state.mood === 'curious' ? 'creative' : 'curious',
  adjustmentRationale: 'short, flat answers for several turns',
  engagementStrategy: 'Ask one concrete question whose answer changes what comes next.',
});

/** What the self-reflection does without a model: it keeps the guesses of skill and complexity in step. */
export const reflectLocally: Handler = ({ state }) => {
  const skill = (SKILL_LEVELS as readonly string[]).indexOf(state.skill);
  const complexity = (TASK_COMPLEXITIES as readonly string[]).indexOf(state.complexity);
  if (skill < 0 || complexity < 0 || state.values[KEYS.sentimentHistory] === undefined) return undefined;
  const { frustrationRun } = readAffect(state);
  if (frustrationRun > 0 && complexity > 0)
    return { updatedTaskComplexity: easier(state), adjustmentRationale: 'frustration while the task is not simple' };
  return undefined;
};
