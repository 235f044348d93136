import { type ChatMessage, textOf } from '@x/core';
import type { RebuiltTurn } from './rebuild-turn.js';

/** One line of a past request, and what it is part of. */
export interface PlacedLine {
  /** Of the message it stands in. */
  readonly role: string;
  readonly text: string;
  /** The prefix, a state note, or what was said. */
  readonly place: 'stable' | 'volatile' | 'conversation';
  /** The part of the prefix or of the note, such as `elements`; `system` and `note` for what joins the parts; else the role. */
  readonly part: string;
}

/** The lines of a request, with the role of the message they stand in. */
export function promptLines(body: string): readonly Pick<PlacedLine, 'role' | 'text'>[] {
  return messagesIn(body).flatMap((message) => linesOf(message).map((text) => ({ role: message.role, text })));
}

/**
 * The lines of a request, each with its place.
 *
 * @param parts - Of the turn that the request belongs to; see `rebuildTurn`.
 */
export function placedLines(body: string, parts: RebuiltTurn['parts']): readonly PlacedLine[] {
  const messages = messagesIn(body);
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  return messages.flatMap((message, index) => {
    const isPrefix = first < 0 || index < first;
    return isPrefix ? prefixLines(message, parts) : laterLines(message);
  });
}

const messagesIn = (body: string): readonly ChatMessage[] => (JSON.parse(body) as { readonly messages: readonly ChatMessage[] }).messages;
const linesOf = (message: ChatMessage): readonly string[] => textOf(message).split('\n');

function prefixLines(message: ChatMessage, { stable, volatile }: RebuiltTurn['parts']): readonly PlacedLine[] {
  return linesOf(message).map((text) => {
    const [place, part] = partWith(text, volatile, 'volatile') ?? partWith(text, stable, 'stable') ?? (['stable', 'system'] as const);
    return { role: message.role, text, place, part };
  });
}

function partWith<Place extends string>(
  line: string,
  parts: { readonly [part: string]: string },
  place: Place,
): readonly [Place, string] | undefined {
  const found = line.trim() === '' ? undefined : Object.entries(parts).find(([, text]) => text.split('\n').includes(line));
  return found && [place, found[0]];
}

/** A note stands in a late message of its own, or in a fence at the very start of one of the user; text further down is the user's. */
function laterLines(message: ChatMessage): readonly PlacedLine[] {
  const lines = linesOf(message);
  const { role } = message;
  const mark = role === 'user' ? /^<<note-(\w+)>>$/.exec(lines[0] ?? '')?.[1] : undefined;
  const isOwn = role === 'system' || role === 'developer';
  const end = isOwn ? lines.length - 1 : mark === undefined ? -1 : lines.indexOf(`<</note-${mark}>>`);
  let part = 'note';
  return lines.map((text, index) => {
    if (index > end) return { role, text, place: 'conversation', part: role };
    const heading = /^\[([^\]]+)\]/.exec(text)?.[1];
    part = index === end && !isOwn ? 'note' : (heading ?? part);
    return { role, text, place: 'volatile', part };
  });
}
