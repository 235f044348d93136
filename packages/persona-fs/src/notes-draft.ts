import { type EditPlan, type NotesEdit, planEdit } from './edit-notes.js';
import { entryKey } from './normalise.js';
import { appendEntries, encodeEntry, readEntries, styleOf } from './notes.js';

/** Remembers the keys of a file's entries, so that a file which only grew is not read anew. */
export interface KeyIndex {
  keysOf(text: string): Set<string>;
}

export function createKeyIndex(): KeyIndex {
  let known = '';
  let keys: readonly string[] = [];
  return {
    keysOf(text) {
      const grown = known !== '' && text.startsWith(known);
      const entries = readEntries(grown ? text.slice(known.length) : text);
      const fresh = entries.map((entry) => entryKey(entry.text));
      const all = grown ? [...keys, ...fresh] : fresh;
      const last = entries.at(-1);
      // The last entry may still grow by indented lines, so it is read again.
      if (last !== undefined) {
        known = (grown ? known : '') + text.slice(grown ? known.length : 0).slice(0, last.start);
        keys = all.slice(0, -1);
      }
      return new Set(all);
    },
  };
}

/** A file's text with edits applied one after another, for one write. */
export interface NotesDraft {
  readonly text: string;
  readonly sizeBytes: number;
  apply(edit: NotesEdit): EditPlan;
  /** Takes the last applied edit back. */
  revert(): void;
  /** Puts a whole new text in place. */
  rewrite(text: string): void;
}

/** Edits a text in memory; many `add`s in a row cost as much as one. */
export function createNotesDraft(start: string, index: KeyIndex): NotesDraft {
  let base = start;
  let added: string[] = [];
  let sizeBytes = Buffer.byteLength(start);
  let keys: Set<string> | undefined;
  let style = styleOf(start);
  let back: () => void = () => undefined;
  const text = (): string => {
    if (added.length > 0) {
      base = appendEntries(base, added);
      added = [];
    }
    return base;
  };
  const reset = (to: string): void => {
    base = to;
    added = [];
    sizeBytes = Buffer.byteLength(to);
    keys = undefined;
    style = styleOf(to);
  };
  return {
    get text() {
      return text();
    },
    get sizeBytes() {
      return sizeBytes;
    },
    revert() {
      back();
    },
    rewrite: reset,
    apply(edit) {
      if (edit.action !== 'add') {
        const old = text();
        const plan = planEdit(old, edit);
        if (plan.outcome === 'changed') {
          reset(plan.text);
          back = () => reset(old);
        }
        return plan;
      }
      keys ??= index.keysOf(base);
      const key = entryKey(edit.text);
      if (keys.has(key)) return { outcome: 'same' };
      const after = encodeEntry(edit.text, style);
      const size = Buffer.byteLength(after);
      keys.add(key);
      added.push(edit.text);
      sizeBytes += size;
      back = () => {
        keys?.delete(key);
        added.pop();
        sizeBytes -= size;
      };
      return { outcome: 'changed', before: '', after };
    },
  };
}
