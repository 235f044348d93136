import type { MemoryTarget } from './bootstrap.js';
import { difference, type EditPlan, type NotesEdit } from './edit-notes.js';
import { MemoryConflictError } from './errors.js';
import { namesNothing } from './find-spans.js';
import type { Author, MemoryRecord } from './memory-journal.js';
import { normalise } from './normalise.js';
import { type Entry, readEntries } from './notes.js';
import type { OpenDraft } from './write-drafts.js';

export interface Promotion {
  /** Id or key of the sender. */
  readonly sender: string;
  /** Words that occur in exactly one of the sender's entries. */
  readonly text: string;
  /** Default `self`. */
  readonly target?: MemoryTarget | undefined;
  readonly by?: Author | undefined;
  /** Ends the wait for other writers. */
  readonly signal?: AbortSignal | undefined;
}

type Change = Omit<MemoryRecord, 'id' | 'atMs' | 'by'>;

/** Moves one entry from a sender's file to the persona's own. The own file is written first: a crash between leaves both. */
export function planPromotion(
  { sender, text }: Promotion,
  [own, inbox]: readonly [string, string],
  draftOf: (file: string) => OpenDraft,
  apply: (draft: OpenDraft, edit: NotesEdit, file: string) => EditPlan,
): readonly Change[] {
  const entry = onlyEntry(draftOf(inbox).text, text);
  const added = apply(draftOf(own), { action: 'add', text: entry.text }, own);
  const removed = cutRange(draftOf(inbox), entry);
  const gone: Change = { file: inbox, action: 'remove', ...removed };
  if (added.outcome !== 'changed') return [gone];
  return [{ file: own, action: 'add', before: added.before, after: added.after, promotedFrom: sender }, gone];
}

function onlyEntry(file: string, wanted: string): Entry {
  if (namesNothing(wanted)) throw new MemoryConflictError('A marker alone names no entry. Give words of it.');
  const needle = normalise(wanted, { fold: true }).text.trim();
  const fitting = readEntries(file).filter((entry) => normalise(entry.text, { fold: true }).text.includes(needle));
  const [entry] = fitting;
  if (entry === undefined) throw new MemoryConflictError('No entry of this sender has these words.');
  if (fitting.length > 1) throw new MemoryConflictError(`${fitting.length} entries of this sender have these words. Give more of them.`);
  return entry;
}

/** Takes a recorded change back on today's text. Its lines must stand there exactly once, unchanged. */
export function planUndo(record: MemoryRecord | undefined, draftOf: (file: string) => OpenDraft): Change {
  if (record === undefined) throw new MemoryConflictError('There is no such change in the journal.');
  const draft = draftOf(record.file);
  const old = draft.text;
  const text = record.after === '' ? putBack(old, record) : takeOut(old, record);
  draft.rewrite(text);
  return { file: record.file, action: 'undo', undoes: record.id, ...difference(old, text) };
}

function takeOut(file: string, { before, after }: MemoryRecord): string {
  const at = onlyLines(file, after);
  if (at !== undefined) return file.slice(0, at) + before + file.slice(at + after.length);
  // An editor may have dropped the break at the end of the file.
  const bare = after.replace(/\r?\n$/, '');
  if (!file.endsWith(bare)) throw changedSince();
  return file.slice(0, file.length - bare.length) + before;
}

function putBack(file: string, { action, before, line = 0 }: MemoryRecord): string {
  const present = new Set(readEntries(file).map((entry) => entry.text));
  // Copies that were made one left that one behind.
  if (action !== 'replace' && readEntries(before).some((entry) => present.has(entry.text))) throw changedSince();
  const lines = file.split(/(?<=\n)/);
  const at = Math.min(line, lines.length);
  const head = lines.slice(0, at).join('');
  const eol = before.includes('\r\n') ? '\r\n' : '\n';
  return `${head}${head === '' || head.endsWith('\n') ? '' : eol}${before}${lines.slice(at).join('')}`;
}

/** Where these whole lines start, if they stand there exactly once. */
function onlyLines(file: string, lines: string): number | undefined {
  const starts: number[] = [];
  for (let at = file.indexOf(lines); at !== -1; at = file.indexOf(lines, at + 1)) {
    if (at === 0 || file[at - 1] === '\n' || file[at - 1] === '\uFEFF') starts.push(at);
  }
  if (starts.length > 1) throw changedSince();
  return starts[0];
}

function cutRange(draft: OpenDraft, { start, end }: Entry): { readonly before: string; readonly after: string; readonly line: number } {
  const old = draft.text;
  draft.rewrite(old.slice(0, start) + old.slice(end));
  return { before: old.slice(start, end), after: '', line: old.slice(0, start).split('\n').length - 1 };
}

const changedSince = (): MemoryConflictError =>
  new MemoryConflictError('These lines have changed since. Edit the file by hand, or undo the later changes first.');
