import { MEMORY_FILES, type MemoryTarget } from './bootstrap.js';
import { wellFormed } from './bytes-codec.js';
import type { NotesEdit } from './edit-notes.js';
import { namesNothing } from './find-spans.js';

export type MemoryRequest = { readonly target: MemoryTarget; readonly edit: NotesEdit } | { readonly refused: string };

// Other words that models use for what the schema asks for: they know edit and memory tools with other schemas.
const ACTIONS: { readonly [action in NotesEdit['action']]: readonly string[] } = {
  add: ['add', 'append', 'create', 'insert', 'remember', 'save', 'store', 'write'],
  replace: ['replace', 'change', 'edit', 'modify', 'str_replace', 'update'],
  remove: ['remove', 'delete', 'erase', 'forget'],
};
// Names of arguments, compared without case and signs. What means the old text for an edit means the new one for `add`.
const OLD_NAMES = ['oldtext', 'oldstring', 'oldstr', 'oldcontent', 'oldentry', 'oldvalue', 'old', 'find', 'search'];
const NEW_NAMES = ['newtext', 'newstring', 'newstr', 'newcontent', 'newentry', 'newvalue', 'new', 'replacement', 'replacewith', 'replace'];
const ANY_NAMES = ['content', 'entry', 'memory', 'note', 'value', 'fact', 'filetext', 'inserttext'];

// Results of the tool name the files, and other memory tools call the first one so.
const TARGETS: ReadonlyMap<unknown, MemoryTarget> = new Map([
  ['memory', 'self'],
  ...(['self', 'user'] as const).map((target) => [MEMORY_FILES[target], target] as const),
]);

type Arguments = ReadonlyMap<string, unknown>;

/** Reads what a model sent to the memory tool; says exactly what is missing. Never throws. */
export function readMemoryArguments(input: unknown): MemoryRequest {
  const args = namedArguments(input);
  if (args === undefined) return refused('The arguments must be an object.');
  const action = readAction(args);
  if (typeof action !== 'string') return refused(`unknown action: ${shown(action.unknown)}. Use add, replace or remove.`);
  const wanted = args.get('target') ?? 'self';
  const target = TARGETS.get(wanted) ?? wanted;
  if (typeof target !== 'string' || !Object.hasOwn(MEMORY_FILES, target))
    return refused(`unknown target: ${shown(wanted)}. Use self or user.`);
  const { text, replacement } = readTexts(args, action);
  if (text === undefined || namesNothing(text))
    return refused(`${action} needs text: ${action === 'add' ? 'what to note' : 'the words that stand there now'}.`);
  if (action === 'add') return { target: target as MemoryTarget, edit: { action, text: plainEntry(text) } };
  if (action === 'remove') return { target: target as MemoryTarget, edit: { action, text } };
  if (replacement === undefined || replacement.replace(/^\s*[-*+][ \t]+/, '').trim() === '')
    return refused('replace needs with: the words to put there. To delete, use remove.');
  return { target: target as MemoryTarget, edit: { action, text, with: replacement } };
}

function namedArguments(input: unknown): Arguments | undefined {
  if (typeof input === 'string') return namedArguments(parsed(input));
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const args = new Map<string, unknown>();
  for (const [name, value] of Object.entries(input)) {
    const plain = name.toLowerCase().replace(/[^a-z]/g, '');
    if (!args.has(plain)) args.set(plain, value);
  }
  return args;
}

/** An object that was written down twice, as some models do; else nothing. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? undefined : value;
  } catch {
    return undefined;
  }
}

function readAction(args: Arguments): NotesEdit['action'] | { readonly unknown: unknown } {
  const given = args.get('action') ?? args.get('command') ?? args.get('operation');
  if (given === undefined) {
    const isEdit = firstText(args, OLD_NAMES) !== undefined && firstText(args, [...NEW_NAMES, 'with', 'text', ...ANY_NAMES]) !== undefined;
    return isEdit ? 'replace' : { unknown: given };
  }
  const word = typeof given === 'string' ? given.trim().toLowerCase() : '';
  for (const action of ['add', 'replace', 'remove'] as const) if (ACTIONS[action].includes(word)) return action;
  return { unknown: given };
}

interface Texts {
  readonly text: string | undefined;
  readonly replacement?: string | undefined;
}

function readTexts(args: Arguments, action: NotesEdit['action']): Texts {
  if (action === 'add') return { text: firstText(args, ['text', ...ANY_NAMES, ...NEW_NAMES]) };
  if (action === 'remove') return { text: firstText(args, ['text', ...OLD_NAMES, ...ANY_NAMES]) };
  const own = firstText(args, ['with']);
  if (own !== undefined) return { text: firstText(args, ['text', ...OLD_NAMES, ...ANY_NAMES]), replacement: own };
  const foreign = firstText(args, NEW_NAMES);
  if (foreign !== undefined) return { text: firstText(args, [...OLD_NAMES, 'text', ...ANY_NAMES]), replacement: foreign };
  // Where the old text has a name of its own, one that could mean either is the new one.
  const old = firstText(args, OLD_NAMES);
  return old === undefined
    ? { text: firstText(args, ['text', ...ANY_NAMES]) }
    : { text: old, replacement: firstText(args, ['text', ...ANY_NAMES]) };
}

function firstText(args: Arguments, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = args.get(name);
    if (typeof value === 'string' && value.trim() !== '') return wellFormed(value);
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  }
  return undefined;
}

/** An entry without outer blank space and without the list marker that a model may have written itself. */
export const plainEntry = (text: string): string => text.trim().replace(/^[-*+][ \t]+(?=\S)/, '');

const refused = (message: string): MemoryRequest => ({ refused: message });
const shown = (value: unknown): string => String(typeof value === 'object' ? JSON.stringify(value) : value).slice(0, 60);
