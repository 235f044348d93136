import { textOf } from '@x/core';
import { withGuidance, withWishes } from './guidance-rules.js';
import type { Guideline } from './guideline.js';
import { type Plan, planAnswer, saidBefore } from './plan-answer.js';
import type { Prompt } from './read-prompt.js';
import { renderAnswer } from './render-answer.js';
import { saidOf } from './said-of.js';
import { shortened } from './sentences.js';
import { styleOfState, withManner } from './style.js';

/** At most so many demands are named in one reply, the last ones: elements stand at the end. The figure is ours. */
const MOST_SAID = 6;

/**
 * Answers a message in conversation. Guidance that changes the wording is followed; guidance whose effect cannot be
 * seen in the wording is named, so that none passes unnoticed.
 */
export function answerInWords(prompt: Prompt): string {
  const plan = resultPlan(prompt) ?? planAnswer(prompt);
  const said = saidBefore(prompt.history);
  const write = (guidance: readonly Guideline[]): string => {
    const own = withManner(styleOfState(prompt.state), prompt.manner, plan.act === 'complaint' || plan.act === 'confusion');
    const style = withGuidance(withWishes(own, prompt.user), guidance);
    return renderAnswer(plan, style, { last: said.at(-1) ?? '', seed: prompt.user });
  };
  const answer = write(prompt.guidance);
  const loud = prompt.guidance.filter(
    (one) => one.aloud === 'always' || (one.aloud === 'first' && one.verb !== undefined && said.length === 0),
  );
  const unseen = loud.filter((one) => write(prompt.guidance.filter((other) => other !== one)) === answer);
  const aside = saidOf(unseen.slice(-MOST_SAID), said.at(-1)?.includes('\n\n(') ?? false);
  return aside === '' ? answer : `${answer}\n\n(${aside})`;
}

// After tools ran, what they gave back is the answer, unless they only saved what the user did not ask about.
function resultPlan({ steps, savesFirst }: Prompt): Plan | undefined {
  if (savesFirst) return undefined;
  const results = steps.filter((step) => step.role === 'tool').map((step) => shortened(textOf(step), 400));
  if (results.length === 0) return undefined;
  const failed = results.some((result) => /^(?:error|failed|refused|cannot|unknown|declined|expired)\b/i.test(result));
  const body = results.map((result) => (failed ? `That did not work: ${result}` : `Here is what came back: ${result}`));
  return {
    kind: 'recall',
    act: 'statement',
    topic: 'that',
    basic: body,
    middle: body,
    deep: body,
    check: failed ? 'Shall I try it another way?' : 'Is that what you needed?',
    clarify: 'What should happen with it?',
    names: [],
  };
}
