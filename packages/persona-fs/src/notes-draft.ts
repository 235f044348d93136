import { type EditPlan, type NotesEdit, planEdit } from './edit-notes.js';
import { entryKey } from './normalise.js';
import { appendEntries, encodeEntry, readEntries, styleOf } from './notes.js';

/** The keys of a file's entries. */
export interface Keys {
  has(key: string): boolean;
}

/** Remembers the keys of a file's entries, so that of a file which only grew no more than the new part is read. */
export interface KeyIndex {
  keysOf(text: string): Keys;
}

export function createKeyIndex(): KeyIndex {
  // The text up to its last entry, which may still grow by indented lines, and the keys in it.
  let known = '';
  let keys = new Set<string>();
  return {
    keysOf(text) {
      if (!text.startsWith(known)) {
        known = '';
        keys = new Set();
      }
      const entries = readEntries(text.slice(known.length));
      const last = entries.at(-1);
      if (last === undefined) return keys;
      for (const entry of entries.slice(0, -1)) keys.add(entryKey(entry.text));
      known = text.slice(0, known.length + last.start);
      const lastKey = entryKey(last.text);
      return { has: (key) => key === lastKey || keys.has(key) };
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
  let keys: Keys | undefined;
  const addedKeys = new Set<string>();
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
    addedKeys.clear();
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
      if (addedKeys.has(key) || keys.has(key)) return { outcome: 'same' };
      const after = encodeEntry(edit.text, style);
      const size = Buffer.byteLength(after);
      addedKeys.add(key);
      added.push(edit.text);
      sizeBytes += size;
      back = () => {
        addedKeys.delete(key);
        added.pop();
        sizeBytes -= size;
      };
      return { outcome: 'changed', before: '', after };
    },
  };
}
