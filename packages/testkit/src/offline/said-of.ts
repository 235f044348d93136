import { type Guideline, gerundOf } from './guideline.js';

/**
 * Guidance that no rule can carry out, said in other words, so that whoever wrote it sees how it was taken.
 *
 * @param isRepeated - True when the reply before it had such an aside; then it is said in fewer words.
 * @returns A sentence or two, or `''` for none.
 */
export function saidOf(guidance: readonly Guideline[], isRepeated: boolean): string {
  const demands = guidance.filter((guideline) => guideline.verb !== undefined).map(takenAs);
  const statements = guidance.filter((guideline) => guideline.verb === undefined).map(takenAs);
  const sentences: string[] = [];
  if (demands.length > 0) sentences.push(`${isRepeated ? 'As before' : 'What guides this answer'}: ${joined(demands)}.`);
  if (statements.length > 0) sentences.push(`What I take into account: ${joined(statements)}.`);
  return sentences.join(' ');
}

function takenAs({ verb, object, negative, condition }: Guideline): string {
  const matter = object
    .replace(/\b(?:the|your) (?:user|customer|learner|student|reader)(?:['’]s)?\b/gi, (words) => (/['’]s$/.test(words) ? 'your' : 'you'))
    .replace(/\b(?:their|his or her)\b/gi, 'your')
    .replace(/\bthem\b/gi, 'you')
    .replace(/["“”]/g, '')
    .trim()
    .slice(0, 140);
  const when = condition === undefined ? '' : ` (${condition.replace(/["“”]/g, '').toLowerCase()})`;
  if (verb === undefined) return `“${matter}”${when}`;
  const doing = `${negative && verb !== 'avoid' ? 'not ' : ''}${gerundOf(verb)}`;
  return `${doing}${matter === '' ? '' : ` “${matter}”`}${when}`;
}

function joined(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')}, and ${items.at(-1)}`;
}
