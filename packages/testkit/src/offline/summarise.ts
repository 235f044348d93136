import type { Prompt } from './read-prompt.js';
import { contentWordsOf, hashOf, sentencesOf, shortened, stemOf } from './sentences.js';

const INSTRUCTION = /\b(?:summari[sz]e|summary|summaries|condense|compress)\b/i;

/** Whether the newest text, or a system prompt that is about nothing else, asks for a summary. */
export function asksForSummary({ system, user }: Prompt): boolean {
  const [opening = ''] = sentencesOf(user);
  return (
    INSTRUCTION.test(opening) ||
    INSTRUCTION.test(user.slice(-400)) ||
    (system.length < 3_000 && INSTRUCTION.test(sentencesOf(system).slice(0, 2).join(' ')))
  );
}

/**
 * Sums up the text that the prompt carries, or the conversation when it carries none, under the headings that the
 * prompt names, by choosing its most telling sentences.
 */
export function summarise({ system, user, history }: Prompt): string {
  const { record, around } = partsOf(user);
  const instruction = INSTRUCTION.test(system) ? `${system}\n${around}` : around;
  const carried = sentencesOf(record).filter((sentence) => !INSTRUCTION.test(sentence));
  const fromHistory = history.filter((line) => line.role !== 'tool').map((line) => `${line.role}: ${line.text.replace(/\s+/g, ' ')}`);
  const source = carried.join(' ').length > 200 || fromHistory.length === 0 ? carried : fromHistory;
  const headings = headingsIn(instruction);
  const limit = Number(/\b(\d{1,4}) (?:words|sentences)\b/.exec(instruction)?.[1] ?? 0);
  if (headings.length === 0) {
    const count = /\bsentences\b/.test(instruction) && limit > 0 ? limit : /\b(?:one|a single) sentence\b/.test(instruction) ? 1 : 4;
    const chosen = tellingOf(source, count).join(' ') || 'There is nothing to sum up.';
    return /\bwords\b/.test(instruction) && limit > 0 ? chosen.split(/\s+/).slice(0, limit).join(' ') : chosen;
  }
  return headings.map((heading) => `## ${heading}\n${sectionOf(heading, source)}`).join('\n');
}

// A record between two tags is what to sum up, and what stands around it says how; else the text is both.
function partsOf(user: string): { readonly record: string; readonly around: string } {
  const fenced = /^<([a-z][\w-]*)>\n([\s\S]*)\n<\/\1>$/m.exec(user);
  if (!fenced) return { record: user, around: user };
  return { record: fenced[2] ?? '', around: user.replace(fenced[0], () => '') };
}

/** The headings that a prompt wants: lines such as `## Done`, or a list after the word “sections”. */
function headingsIn(instruction: string): readonly string[] {
  const lines = [...instruction.matchAll(/^#{2,3} (.{2,60})$/gm)].map((match) => match[1]?.trim() ?? '');
  if (lines.length > 1) return lines;
  const list = /\b(?:sections|headings|parts)\b[^:\n]*:\s*([^.\n]+)/i.exec(instruction)?.[1];
  return list
    ? list
        .split(/,|;|\band\b|\//)
        .map((item) => item.replace(/["'“”`#]/g, '').trim())
        .filter((item) => item !== '')
    : [];
}

const CUES: readonly (readonly [heading: RegExp, sentence: RegExp])[] = [
  [
    /\b(?:done|finished|completed|decisions?|progress)\b/i,
    /\b(?:done|finished|fixed|added|wrote|decided|agreed|worked|solved|noted|sent)\b/i,
  ],
  [/\b(?:pending|next|open|to ?do|remaining)\b/i, /\b(?:next|still|need|want|should|todo|later|pending|please|could you|can you)\b/i],
  [/\b(?:facts?|preferences?|user|names?|context|details)\b/i, /\b(?:my|name|prefer|like|use|work|always|never|\d{2,}|is called)\b/i],
  [/\b(?:errors?|problems?|issues?)\b/i, /\b(?:error|fail|wrong|broken|problem|confus|bug)\w*/i],
];

function sectionOf(heading: string, source: readonly string[]): string {
  if (/\b(?:last|latest|newest|verbatim)\b/i.test(heading)) {
    const last = source.findLast((line) => /^user:/i.test(line)) ?? source.at(-1) ?? '';
    return `- ${shortened(last, 400)}`;
  }
  const cue = CUES.find(([pattern]) => pattern.test(heading))?.[1];
  const fitting = cue ? source.filter((line) => cue.test(line)) : source;
  const chosen = tellingOf(fitting, 3);
  return chosen.length === 0 ? '- none' : chosen.map((line) => `- ${shortened(line, 240)}`).join('\n');
}

// Sentences whose words occur often in the whole text tell most of it; they stay in their order.
function tellingOf(source: readonly string[], count: number): readonly string[] {
  const seen = new Map<string, number>();
  for (const line of source) for (const word of contentWordsOf(line)) seen.set(stemOf(word), (seen.get(stemOf(word)) ?? 0) + 1);
  const scored = source.map((line, index) => {
    const words = contentWordsOf(line);
    const sum = words.reduce((total, word) => total + (seen.get(stemOf(word)) ?? 0), 0);
    return { line, index, score: sum / Math.sqrt(words.length + 4) + (hashOf(line) % 7) / 1_000 };
  });
  const best = scored.sort((a, b) => b.score - a.score).slice(0, count);
  return best.sort((a, b) => a.index - b.index).map(({ line }) => line);
}
