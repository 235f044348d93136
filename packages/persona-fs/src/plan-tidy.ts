import type { NotesEdit } from './edit-notes.js';
import { entryKey } from './normalise.js';

/** What {@link planTidy} needs of an entry. */
export interface TidyEntry {
  readonly text: string;
}

/**
 * Proposes edits that tidy notes without a model: entries that another one says word for word or as part of a longer
 * list of the same words, and entries that name their own end date once it has passed ("until 2026-03-01",
 * "expires 2026-03-01"). Pure; changes no wording.
 *
 * @param entries - In file order; of two that say the same, the older goes.
 * @param nowMs - Milliseconds since 1970; an end date counts as passed when its day is over in UTC.
 */
export function planTidy(entries: readonly TidyEntry[], nowMs: number): readonly NotesEdit[] {
  const words = entries.map(({ text }) => wordsOf(text));
  const merged = new Set<string>();
  return entries.flatMap(({ text }, index): readonly NotesEdit[] => {
    if (merged.has(text)) return [];
    if (hasEnded(text, nowMs)) return [{ action: 'remove', text: wholeEntry(text) }];
    if (entries.some((other, at) => at > index && other.text === text)) {
      // One edit, so that no crash comes between the going and the staying.
      merged.add(text);
      return [{ action: 'replace', text: wholeEntry(text), with: text }];
    }
    const covered = entries.some((other, at) => at !== index && covers(words[at]!, words[index]!, at > index, other.text, text));
    return covered ? [{ action: 'remove', text: wholeEntry(text) }] : [];
  });
}

/** The form of `text` that names exactly this entry and no other that holds the same words. */
export const wholeEntry = (text: string): string => `- ${text}\n`;

function covers(larger: readonly string[], smaller: readonly string[], isLater: boolean, largerText: string, smallerText: string): boolean {
  if (entryKey(largerText) === entryKey(smallerText)) return isLater;
  // Few words say too little to be sure; the same order keeps "Bob likes Ann" and "Ann likes Bob" apart.
  if (smaller.length < 3 || smaller.length >= larger.length) return false;
  if (larger.some((word) => NEGATIONS.has(word)) !== smaller.some((word) => NEGATIONS.has(word))) return false;
  let at = 0;
  for (const word of larger) if (word === smaller[at]) at += 1;
  return at === smaller.length && larger.slice(0, smaller.length).join(' ') === smaller.join(' ');
}

const NEGATIONS: ReadonlySet<string> = new Set([
  'not',
  'no',
  'never',
  'none',
  'without',
  "don't",
  "doesn't",
  "isn't",
  'nicht',
  'kein',
  'keine',
]);

function hasEnded(text: string, nowMs: number): boolean {
  const match =
    /\b(?:until|till|through|expires(?: on)?|expired(?: on)?|ends(?: on)?|ended(?: on)?|valid until)\s+(\d{4}-\d\d-\d\d)\b/i.exec(text);
  const endMs = match === null ? Number.NaN : Date.parse(`${match[1]}T00:00:00Z`) + 86_400_000;
  return endMs <= nowMs;
}

const wordsOf = (text: string): readonly string[] =>
  entryKey(text)
    .split(/[^\p{L}\p{N}']+/u)
    .filter((word) => word !== '');
