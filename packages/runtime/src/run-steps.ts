import { askHuman, refusalFor } from './ask-human.js';
import { StepRun } from './step-run.js';
import type { StepsInput } from './steps-input.js';
import { type StepsOutcome, Tally } from './tally.js';

/** Questions that one turn may put to a `waitFor`. The figure is ours. */
const MAX_QUESTIONS = 20;

/**
 * Asks the model and runs its tools until it answers, a budget is used up, or a tool waits for a human.
 *
 * @throws What model and hooks throw; `stop.reason`. A time limit is no failure: the outcome is `incomplete`.
 */
export async function runSteps(input: StepsInput): Promise<StepsOutcome> {
  const tally = new Tally();
  let outcome = await runUntilEnd(input, tally);
  for (let asked = 0; outcome.pending && input.waitFor && asked < MAX_QUESTIONS; asked += 1) {
    const { request, callId } = outcome.pending;
    const answer = await askHuman(input.waitFor, request, input);
    if (!answer) break;
    const settled = refusalFor(request, answer, input.clock.now());
    outcome = await runUntilEnd({ ...input, open: { callId, answer, settled } }, tally);
  }
  return outcome;
}

async function runUntilEnd(input: StepsInput, tally: Tally): Promise<StepsOutcome> {
  const run = new StepRun(input, tally);
  try {
    return await run.go();
  } catch (error) {
    if (!input.stop.aborted && input.outOfTime()) return run.outOfTime();
    throw error;
  }
}
