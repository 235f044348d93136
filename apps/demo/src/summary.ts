import type { TurnReport } from '@x/cli';

/** What the replay showed, in a few lines that can be checked against the turns above. */
export function formatSummary(reports: readonly TurnReport[], offline: boolean): string {
  const count = (hit: (report: TurnReport) => boolean): number => reports.filter(hit).length;
  const figures = reports.flatMap(({ prefix }) => prefix).filter(({ stability }) => stability !== undefined);
  const lowest = Math.min(1, ...figures.filter(({ break: reason }) => reason === undefined).map(({ stability }) => stability ?? 1));
  const cost = reports.reduce((sum, { costUsd }) => sum + costUsd, 0);
  const turns = count(({ answer }) => answer === undefined);
  const frustrated = count(({ events }) => events.includes('user_frustrated'));
  const moods = count(({ changes }) => changes.some(({ what }) => what === 'mood'));
  const elements = count(({ elements: { entered, left } }) => entered.length + left.length > 0);
  const questions = count(({ pending }) => pending !== undefined);
  return [
    `${several(turns, 'turn')}: ${frustrated} with frustration, ${several(moods, 'change')} of mood, ${several(elements, 'change')} of the elements in the prompt, ${several(questions, 'question')} to a human.`,
    `Lowest prefix stability without a named break: ${lowest.toFixed(2)}. Cost at the price of gpt-4o-mini in October 2024: $${cost.toFixed(5)}${offline ? ' (offline: nothing was paid)' : ''}.`,
  ].join('\n');
}

function several(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
