import { MEMORY_FILES, type MemoryTarget } from './bootstrap.js';
import { wellFormed } from './bytes-codec.js';
import type { NotesEdit } from './edit-notes.js';

export type MemoryRequest = { readonly target: MemoryTarget; readonly edit: NotesEdit } | { readonly refused: string };

// Names that models use for the two texts, ours first. What means the old text for an edit means the new one for `add`.
const OLD_NAMES = ['text', 'old_string', 'old_text', 'old', 'content', 'entry'];
const ADD_NAMES = ['text', 'content', 'entry', 'new_text', 'new_string', 'new', 'value'];
const WITH_NAMES = ['with', 'new_string', 'new_text', 'replacement', 'new', 'value'];

/** Reads what a model sent to the memory tool; says exactly what is missing. Never throws. */
export function readMemoryArguments(input: unknown): MemoryRequest {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return refused('The arguments must be an object.');
  const args = input as { readonly [name: string]: unknown };
  const action = args['action'];
  if (action !== 'add' && action !== 'replace' && action !== 'remove') return refused(`unknown action: ${shown(action)}`);
  const target = args['target'] ?? 'self';
  if (typeof target !== 'string' || !Object.hasOwn(MEMORY_FILES, target))
    return refused(`unknown target: ${shown(target)}. Use self or user.`);
  const text = firstText(args, action === 'add' ? ADD_NAMES : OLD_NAMES);
  if (text === undefined) return refused(`${action} needs text: ${action === 'add' ? 'what to note' : 'the words that stand there now'}.`);
  if (action !== 'replace') return { target: target as MemoryTarget, edit: { action, text: action === 'add' ? plainEntry(text) : text } };
  const replacement = firstText(args, WITH_NAMES);
  if (replacement === undefined) return refused('replace needs with: the words to put there. To delete, use remove.');
  return { target: target as MemoryTarget, edit: { action, text, with: replacement } };
}

function firstText(args: { readonly [name: string]: unknown }, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return wellFormed(value);
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  }
  return undefined;
}

/** An entry without outer blank space and without the list marker that a model may have written itself. */
export const plainEntry = (text: string): string => text.trim().replace(/^[-*+][ \t]+(?=\S)/, '');

const refused = (message: string): MemoryRequest => ({ refused: message });
const shown = (value: unknown): string => String(typeof value === 'object' ? JSON.stringify(value) : value).slice(0, 60);
