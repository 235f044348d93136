import { type ChatMessage, type ModelRequest, type ToolSpec, TRAIT_NAMES, textOf } from '@x/core';
import { type Guideline, guidelinesOf } from './guideline.js';
import { type ReadState, readState } from './read-state.js';

/** One entry of the conversation, without notes. */
export interface Line {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
}

/** One line that is remembered, and where it stands. */
export interface Remembered {
  readonly text: string;
  readonly from: 'self' | 'user' | 'imprint';
}

/** What the offline model found in a request. It gets the messages and the tools, and nothing else. */
export interface Prompt {
  /** The system prompt. */
  readonly system: string;
  /** Parts of the newest state notes, by name. */
  readonly notes: ReadonlyMap<string, string>;
  readonly guidance: readonly Guideline[];
  /** What is said of each trait of the character, the newest word. */
  readonly manner: ReadonlyMap<string, string>;
  readonly personaName: string | undefined;
  readonly state: ReadState;
  /** Lines of MEMORY.md and USER.md sections, and imprints. */
  readonly memory: readonly Remembered[];
  /** Retrieved passages. */
  readonly retrieved: readonly string[];
  /** Lines of the HEARTBEAT.md section. */
  readonly checklist: readonly string[];
  /** The conversation before the newest user text. */
  readonly history: readonly Line[];
  /** The newest user text. */
  readonly user: string;
  /** True when the machine asks to save what is worth keeping before old turns go; `user` is what the person said last. */
  readonly savesFirst: boolean;
  /** Calls and results since the newest user text. */
  readonly steps: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
}

/** Reads a request as a model would: system prompt, notes, persona, state, memory, conversation. */
export function readPrompt({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): Prompt {
  const notes = new Map<string, string>();
  const lines: Line[] = [];
  let steps: ChatMessage[] = [];
  let system = '';
  let savesFirst = false;
  for (const message of messages) {
    const text = textOf(message);
    if (message.role === 'system' || message.role === 'developer') {
      if (/^State note\b/.test(text)) takeNote(text, notes);
      else system += `${system === '' ? '' : '\n\n'}${text}`;
    } else if (message.role === 'user') {
      const said = withoutFence(text, notes);
      const reminder = reminderIn(said);
      const own = reminder >= 0 ? said.slice(0, reminder).trim() : said;
      savesFirst = reminder >= 0;
      // A reminder stands behind what the person said, as a message of its own or at the end of theirs.
      if (own !== '') lines.push({ role: 'user', text: own });
      if (own !== '' || reminder < 0) steps = [];
    } else {
      steps.push(message);
      if (text !== '') lines.push({ role: message.role, text });
    }
  }
  const last = lines.findLastIndex((line) => line.role === 'user');
  // The rule about note fences is for the reader of the notes, not for the tone of the answer.
  const own = system
    .split(/\n{2,}/)
    .filter((paragraph) => !paragraph.includes('<<note-'))
    .join('\n\n');
  const manner = mannerIn(`${own}\n${notes.get('traits') ?? ''}`);
  const sections = sectionsOf(withoutManner(own));
  const said = [...notes].filter(([part]) => !SILENT_PARTS.has(part));
  const guidance = [
    ...guidelinesOf(sections.guidance, 'system'),
    // What a state says of itself is read as state; only what it demands is guidance.
    ...said.flatMap(([part, text]) =>
      guidelinesOf(withoutManner(text), 'note').filter((one) => part !== 'state' || one.verb !== undefined),
    ),
  ];
  return {
    system: own,
    notes,
    guidance,
    manner,
    personaName: nameOf(own),
    state: readState(notes.get('state') ?? `${[...notes.values()].join('\n')}\n${own}`),
    memory: [...sections.memory, ...linesOf(notes.get('imprints') ?? '').map((text) => ({ text, from: 'imprint' as const }))],
    retrieved: linesOf(notes.get('retrieved') ?? ''),
    checklist: sections.checklist,
    history: lines.slice(0, Math.max(0, last)),
    user: lines[last]?.text ?? '',
    savesFirst,
    steps,
    tools,
  };
}

// A machine's word that old turns are about to leave, with the wish to save facts by the memory tool; -1 for none.
function reminderIn(text: string): number {
  const lines = text.split('\n');
  const at = lines.findIndex(
    (line) => /\babout to be\b/i.test(line) && /\b(?:summary|summari[sz]ed|folded)\b/i.test(line) && /\bmemory\b/i.test(line),
  );
  if (at < 0) return -1;
  // A title in brackets above it belongs to it.
  const from = /^\[.*]$/.test(lines[at - 1] ?? '') ? at - 1 : at;
  return lines.slice(0, from).join('\n').length;
}

/** Parts of a note that hold facts, not guidance. */
const SILENT_PARTS: ReadonlySet<string> = new Set(['imprints', 'retrieved', 'time']);

const TRAIT_LINE = new RegExp(`^\\s*[-*•]?\\s*(${TRAIT_NAMES.join('|')})(?:-\\w+)?:\\s*(.*)$`, 'i');

// Lines on traits shape the tone as a whole; they are no demands of the moment.
function mannerIn(text: string): ReadonlyMap<string, string> {
  const found = text.split('\n').flatMap((line) => {
    const [, trait = '', words = ''] = TRAIT_LINE.exec(line) ?? [];
    return trait === '' ? [] : [[trait.toLowerCase(), words] as const];
  });
  return new Map(found);
}

function withoutManner(text: string): string {
  return text
    .split('\n')
    .filter((line) => !TRAIT_LINE.test(line) && !/\bmanner\b/i.test(line))
    .join('\n');
}

// Only a fence at the very start of a message is one; anything like it further down is the user's text.
function withoutFence(text: string, notes: Map<string, string>): string {
  const fence = /^<<note-([0-9a-f]+)>>\n([\s\S]*?)\n<<\/note-\1>>\n?/.exec(text);
  if (!fence) return text;
  takeNote(fence[2] ?? '', notes);
  return text.slice(fence[0].length);
}

function takeNote(text: string, notes: Map<string, string>): void {
  for (const part of text.split(/\n(?=\[[\w-]+\])/).slice(1)) {
    const [, name = '', body = ''] = /^\[([\w-]+)\]\s*([\s\S]*)$/.exec(part) ?? [];
    if (/^What was said of this before no longer holds\.?$/.test(body.trim())) notes.delete(name);
    else notes.set(name, body.trim());
  }
}

const FACT_SECTION = /^(?:MEMORY|USER)(?:\.md)?\b/i;
const QUIET_SECTION = /^(?:HEARTBEAT|TOOLS)(?:\.md)?\b/i;

function sectionsOf(system: string): {
  readonly guidance: string;
  readonly memory: readonly Remembered[];
  readonly checklist: readonly string[];
} {
  const guidance: string[] = [];
  const memory: Remembered[] = [];
  const checklist: string[] = [];
  for (const section of system.split(/\n(?=#{1,3} )/)) {
    const title = /^#{1,3} (.*)/.exec(section)?.[1]?.trim() ?? '';
    const body = title === '' ? section : section.slice(section.indexOf('\n') + 1 || section.length);
    if (FACT_SECTION.test(title)) {
      const from = /^USER/i.test(title) ? 'user' : 'self';
      memory.push(...linesOf(body).map((text) => ({ text, from }) as const));
    } else if (/^HEARTBEAT/i.test(title)) checklist.push(...linesOf(body));
    else if (!QUIET_SECTION.test(title)) guidance.push(body);
  }
  return { guidance: guidance.join('\n'), memory, checklist };
}

// Notes may stand inside a fence of tildes, found text behind `>`, and records as JSON: what they say is what counts.
function linesOf(text: string): readonly string[] {
  const body = /^~{3,}\n([\s\S]*?)\n~{3,}$/m.exec(text)?.[1] ?? text;
  const data = /<data name="[\w-]+">([\s\S]*?)<\/data>/.exec(body)?.[1];
  if (data !== undefined) return recordsOf(data);
  return body
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(?:[-*•+]|\d+[.)]|>)\s+/, '')
        .replace(/^"([\w .-]+)":\s*"?(.*?)"?$/, '$1: $2')
        .trim(),
    )
    .filter(
      (line) => /\p{L}/u.test(line) && !/^(?:#|\\#|<!--)/.test(line) && !/^(?:Facts noted|Text found|Noted earlier|Source )/.test(line),
    );
}

function recordsOf(json: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(json);
    const list = Array.isArray(value) ? value : [value];
    return list.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.entries(item).map(([key, said]) => `${key}: ${String(said)}`) : [String(item)],
    );
  } catch {
    return [];
  }
}

function nameOf(system: string): string | undefined {
  const found =
    /\b(?:your name is|you are called|name:)\s+\**(\p{Lu}[\p{L}-]+)/iu.exec(system) ?? /\byou are (\p{Lu}[\p{L}-]+)\b/u.exec(system);
  return found?.[1];
}
