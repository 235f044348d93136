import type { ToolCall } from '@x/core';
import { meantTool } from './tool-name.js';

/** A piece of a tool call as a stream gives it; every field may be missing or empty. */
export interface CallPiece {
  readonly index?: number | undefined;
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  /** Text, or an object from servers that parse it themselves. */
  readonly arguments?: unknown;
  /** What stands beside the call, such as a signature; the last one counts. */
  readonly extra?: unknown;
}

/** A finished call; `unparseable` says why it must not run. */
export interface AssembledCall {
  readonly call: ToolCall;
  readonly unparseable?: string | undefined;
  readonly extra?: unknown;
}

interface Entry {
  id: string;
  /** The id under which its pieces come; another call may have had it first. */
  readonly given: string;
  readonly index: number | undefined;
  name: string;
  text: string;
  /** Text that came under this call's label while a later call was open. */
  doubtful: string;
  extra: unknown;
}

export interface CallAssembler {
  add(piece: CallPiece): void;
  /** True until a call began. */
  isEmpty(): boolean;
  /** All calls in the order in which they began. */
  finish(): readonly AssembledCall[];
}

export interface AssembleOptions {
  /** Makes an id for a call that has none. */
  readonly createId: () => string;
  /** True when the tool's schema demands at least one field. */
  readonly needsArguments: (name: string) => boolean;
  /** Names of the tools that were offered. */
  readonly known: ReadonlySet<string>;
}

/**
 * Puts tool calls together from the pieces of a stream. A call is known by its id; the index is a label and nothing
 * more: it may start anywhere, repeat, or lie. An empty id is none. Two calls never share an id, and text that cannot be
 * given to one call for certain is given to none. Whole objects in a row are the arguments of several calls, from servers
 * that change neither.
 */
export function createCallAssembler({ createId, needsArguments, known }: AssembleOptions): CallAssembler {
  const entries: Entry[] = [];
  const open = ({ index, id, name }: CallPiece): Entry => {
    const freeId = id && !entries.some((other) => other.id === id) ? id : '';
    const entry: Entry = { id: freeId, given: id ?? '', index, name: name ?? '', text: '', doubtful: '', extra: undefined };
    entries.push(entry);
    return entry;
  };
  const entryFor = (piece: CallPiece): Entry => {
    const { index, name } = piece;
    const id = piece.id || undefined;
    const labelled = index === undefined ? undefined : entries.findLast((entry) => entry.index === index);
    if (id !== undefined) {
      const known = entries.findLast((entry) => entry.id === id || entry.given === id);
      const otherLabel = known?.index !== undefined && index !== undefined && known.index !== index;
      if (known && !otherLabel) return name && known.name !== '' && known.name !== name && isComplete(known.text) ? open(piece) : known;
      // An id that another call has already: a second call, known from now on by its label.
      if (known) return labelled && (!name || labelled.name === name) ? labelled : name ? open(piece) : known;
      if (labelled && labelled.id === '' && (!name || labelled.name === '' || labelled.name === name)) {
        labelled.id = id;
        return labelled;
      }
      // A new id without a name continues the labelled call: a call cannot begin without a name.
      return labelled && !name ? labelled : open(piece);
    }
    if (name) {
      const candidate = labelled ?? (index === undefined ? entries.at(-1) : undefined);
      const repeats = candidate?.name === name && !isComplete(candidate.text) && (index !== undefined || candidate.text !== '');
      return candidate && (candidate.name === '' || repeats) ? candidate : open(piece);
    }
    return labelled ?? entries.at(-1) ?? open(piece);
  };
  return {
    add(piece) {
      const text = typeof piece.arguments === 'string' ? piece.arguments : piece.arguments == null ? '' : JSON.stringify(piece.arguments);
      const entry = entryFor(piece);
      entry.extra = piece.extra ?? entry.extra;
      if (entry.name === '' && piece.name) entry.name = piece.name;
      const last = entries.at(-1) ?? entry;
      if (entry === last || text === '' || piece.id) entry.text += text;
      // The labelled call has all it needs, so this is the open call's under a wrong label.
      else if (entry.doubtful === '' && isComplete(entry.text)) last.text += text;
      else if (entry.text === '' || entry.doubtful !== '') entry.doubtful += text;
      else entry.text += text;
    },
    isEmpty: () => entries.length === 0,
    finish() {
      for (const entry of entries) entry.name = meantTool(entry.name, known);
      const lost = settleDoubt(entries, needsArguments);
      return entries.flatMap((entry) => {
        const [first = '', ...others] = lost.has(entry) ? [entry.text] : objectsIn(entry.text);
        const further = others.map((text) => finished({ ...entry, id: '', text }, false, createId, needsArguments));
        return [{ extra: entry.extra, ...finished({ ...entry, text: first }, lost.has(entry), createId, needsArguments) }, ...further];
      });
    },
  };
}

// Text under the label of an earlier call is that call's when every other call has what it needs; it is the last one's
// when only that lacks its arguments; else nobody can tell, and neither call runs.
function settleDoubt(entries: readonly Entry[], needsArguments: (name: string) => boolean): ReadonlySet<Entry> {
  const lost = new Set<Entry>();
  for (const entry of entries) {
    if (entry.doubtful === '') continue;
    const lacking = entries.filter((other) => other !== entry && other.text === '' && other.doubtful === '' && needsArguments(other.name));
    const [only] = lacking;
    if (only === undefined) entry.text += entry.doubtful;
    else if (lacking.length === 1 && entry.text === '' && !needsArguments(entry.name)) only.text += entry.doubtful;
    else for (const one of [entry, ...lacking]) lost.add(one);
  }
  return lost;
}

function finished(
  { id, name, text, doubtful }: Entry,
  isLost: boolean,
  createId: () => string,
  needsArguments: (name: string) => boolean,
): AssembledCall {
  const given = isLost ? text + doubtful : meant(text);
  const json = isBlank(given) && !needsArguments(name) ? '{}' : given;
  const call: ToolCall = { id: id === '' ? createId() : id, type: 'function', function: { name, arguments: json } };
  if (name === '') return { call, unparseable: 'the call names no tool' };
  if (isLost) return { call, unparseable: 'the stream does not tell which of several calls these arguments belong to' };
  if (isBlank(json)) return { call, unparseable: 'no arguments were sent' };
  const problem = problemOf(json);
  return problem === undefined ? { call } : { call, unparseable: problem };
}

// Servers for tools without arguments write null, or an empty list where their language has no other empty object.
function isBlank(json: string): boolean {
  return /^\s*(?:null|\[\s*\])?\s*$/.test(json);
}

/** A text, or what is left of one that was cut off: long arguments are walked once, whatever stands in them. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"?/gs;
/** What tells where an object begins and ends. */
const MARK = new RegExp(`${STRING.source}|[{}]`, 'gs');

/**
 * The arguments without what a server put around them: marks of a template behind them, or quotes around the whole, from those that
 * wrote it twice. Line breaks and tabs as they are, which models write into texts, are written as JSON has them.
 */
function meant(text: string): string {
  if (problemOf(text) !== undefined) {
    const end = text.lastIndexOf('}') + 1;
    if (!/^(?:\s*<\|?\/?[\w.:-]{1,40}\|?>)*\s*$/.test(text.slice(end))) return text;
    const bare = text.slice(0, end).replace(STRING, escaped);
    return isComplete(bare) ? bare : text;
  }
  if (!text.trimStart().startsWith('"')) return text;
  const inner: unknown = JSON.parse(text);
  return typeof inner === 'string' && isComplete(inner) ? inner : text;
}

/** The objects of a text that is nothing but several of them, each once; else the text as it is. */
function objectsIn(text: string): readonly string[] {
  if (!/^\s*\{/.test(text) || !text.trimEnd().endsWith('}') || !/\}\s*\{/.test(text) || problemOf(text) === undefined) return [text];
  const found = new Map<string, string>();
  let depth = 0;
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    if (mark === '{') depth += 1;
    if (mark !== '}') continue;
    depth -= 1;
    if (depth > 0) continue;
    const object = text.slice(from, index + 1).trim();
    if (problemOf(object) !== undefined) return [text];
    from = index + 1;
    // Servers also begin with an empty object, or say all of it once more at the end.
    const said = JSON.stringify(JSON.parse(object));
    if (said !== '{}' && !found.has(said)) found.set(said, object);
  }
  return depth === 0 && text.slice(from).trim() === '' && found.size > 0 ? [...found.values()] : [text];
}

function escaped(string: string): string {
  return string.replace(/[\n\r\t]/g, (char) => (char === '\n' ? '\\n' : char === '\r' ? '\\r' : '\\t'));
}

function isComplete(text: string): boolean {
  return text.trimEnd().endsWith('}') && problemOf(text) === undefined;
}

function problemOf(json: string): string | undefined {
  try {
    JSON.parse(json);
    return undefined;
  } catch {
    // The engine's own message would repeat the text.
    return `the arguments are not valid JSON (${json.length} characters)`;
  }
}
