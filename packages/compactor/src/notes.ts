import { type Fields, jsonOf } from './dialect.js';

/** What a compactor remembers of a conversation between calls, found again by what the messages say. */
export interface Note {
  /** How many messages the list had, and what they were. */
  readonly length: number;
  readonly print: string;
  readonly tokens: number;
  reminded: boolean;
  failures: number;
  /** The irreducible state that was reported already. */
  reported: string;
}

/** Conversations that one compactor remembers at a time. */
const REMEMBERED = 64;

/**
 * Remembers by content: a list belongs to a note when it still begins with the messages that the note was made of. So
 * two conversations never share one, and it does not matter whether a host keeps its objects or reads them anew.
 */
export function createNotes() {
  let notes: Note[] = [];
  return {
    find(messages: readonly object[]): Note | undefined {
      const prints = new Map<number, string>();
      for (let index = notes.length - 1; index >= 0; index -= 1) {
        const note = notes[index]!;
        if (note.length > messages.length) continue;
        const print = prints.get(note.length) ?? printOf(messages, note.length);
        prints.set(note.length, print);
        if (print === note.print) return note;
      }
      return undefined;
    },
    /** Puts a note about this list in the place of an older one about the same conversation. */
    put(
      messages: readonly object[],
      tokens: number,
      older: Note | undefined,
      change: Partial<Pick<Note, 'reminded' | 'failures' | 'reported'>>,
    ): Note {
      const note: Note = {
        length: messages.length,
        print: printOf(messages, messages.length),
        tokens,
        reminded: older?.reminded ?? false,
        failures: older?.failures ?? 0,
        reported: older?.reported ?? '',
        ...change,
      };
      notes = [...notes.filter((one) => one !== older).slice(1 - REMEMBERED), note];
      return note;
    },
    forget(note: Note | undefined): void {
      notes = notes.filter((one) => one !== note);
    },
  };
}

/** The first two and the last three of the first `length` messages, word for word: enough to tell conversations apart. */
function printOf(messages: readonly object[], length: number): string {
  const picked = new Set([0, 1, length - 3, length - 2, length - 1]);
  return [...picked]
    .filter((index) => index >= 0 && index < length)
    .map((index) => {
      const { role, content, tool_calls, tool_call_id, call_id } = messages[index] as Fields;
      const text = jsonOf([role, content, tool_calls, tool_call_id, call_id]);
      return text.length > 2_000 ? `${text.length}:${text.slice(0, 1_000)}${text.slice(-1_000)}` : text;
    })
    .join('\n');
}
