import type { TurnReport } from '@x/cli';

/** What the replay showed, in a few lines that can be checked against the turns above. */
export function formatSummary(reports: readonly TurnReport[], offline: boolean): string {
  const count = (hit: (report: TurnReport) => boolean): number => reports.filter(hit).length;
  const figures = reports.flatMap(({ prefix }) => prefix).filter(({ stability }) => stability !== undefined);
  const lowest = Math.min(1, ...figures.filter(({ break: reason }) => reason === undefined).map(({ stability }) => stability ?? 1));
  const cost = reports.reduce((sum, { costUsd }) => sum + costUsd, 0);
  return [
    `${count(({ answer }) => answer === undefined)} turns: ${count(({ events }) => events.includes('user_frustrated'))} with frustration, ${count(({ changes }) => changes.some(({ what }) => what === 'mood'))} changes of mood, ${count(({ elements }) => elements.entered.length + elements.left.length > 0)} changes of the elements in the prompt, ${count(({ pending }) => pending !== undefined)} questions to a human.`,
    `Lowest prefix stability without a named break: ${lowest.toFixed(2)}. Cost at the price of gpt-4o-mini in October 2024: $${cost.toFixed(5)}${offline ? ' (offline: nothing was paid)' : ''}.`,
  ].join('\n');
}
