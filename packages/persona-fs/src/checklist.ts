import { hashText } from '@x/core';
import { checklistLines, endsSection, FENCE, isHeading, isTitle } from './checklist-lines.js';
import { entryKey } from './normalise.js';

/** The items of a `HEARTBEAT.md`, in order: each its first line, without marker and box. */
export interface Checklist {
  /** What asks for something. */
  readonly open: readonly string[];
  /** Those of `open` that are written as items of a list, and so can be ticked off. */
  readonly items: readonly string[];
  /** What would, but is known to be done. */
  readonly done: readonly string[];
}

/** Names an item among those that are done; the same for the same words, whatever their case and spacing. */
export const itemKey = (item: string): string => hashText(entryKey(item));

/**
 * Whether a `HEARTBEAT.md` asks for nothing, so that a beat needs no model: absent, or only blank lines, headings,
 * rules, comments, fenced examples, empty items, struck or ticked tasks, sections of what was done, heads of tables, words such as "none", and
 * instructions on how to fill it.
 *
 * @param done - Keys of items that are done; see {@link itemKey}.
 */
export const isEmptyChecklist = (text: string | undefined, done?: ReadonlySet<string>): boolean =>
  readChecklist(text, done).open.length === 0;

/** Reads a list item by item. Lines that are set deeper than an item belong to it, and go with it when it is done. */
export function readChecklist(text: string | undefined, keys: ReadonlySet<string> = new Set()): Checklist {
  const open: string[] = [];
  const items: string[] = [];
  const done: string[] = [];
  const lines = checklistLines(text ?? '');
  let doneIndent = Number.POSITIVE_INFINITY;
  let itemIndent = Number.POSITIVE_INFINITY;
  let section = '';
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || line === FENCE) continue;
    if (isHeading(line)) section = line;
    else if (section !== '' && endsSection(lines, index)) section = '';
    const { indent, isBullet, box, words } = readLine(line);
    // A box that is open counts wherever it stands.
    if (box !== ' ' && DONE_TITLE.test(section)) continue;
    if (indent > doneIndent && !(isBullet && box === ' ')) continue;
    if (indent <= doneIndent) doneIndent = Number.POSITIVE_INFINITY;
    if (indent > itemIndent && !isBullet) continue;
    itemIndent = Number.POSITIVE_INFINITY;
    if ((box !== undefined && box !== ' ') || /^~~.*~~$/.test(words)) doneIndent = indent;
    else if (!isTitle(lines, index) && !(LINKS_TITLE.test(section) && LINK.test(words)) && asks(words)) {
      if (keys.size > 0 && keys.has(itemKey(words))) {
        done.push(words);
        doneIndent = indent;
      } else {
        open.push(words);
        if (!isBullet) continue;
        items.push(words);
        itemIndent = indent;
      }
    }
  }
  return { open, items, done };
}

interface Line {
  /** Columns before its first sign; a tab counts as four. */
  readonly indent: number;
  readonly isBullet: boolean;
  /** What stands in its box: blank when open, else a tick or a dash; `undefined` without one. */
  readonly box: string | undefined;
  readonly words: string;
}

function readLine(line: string): Line {
  const indent = (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
  const [, bullet, box, words = ''] =
    /^([-*+](?=[ \t[]|$)|\d{1,9}[.)](?=[ \t[]|$))?[ \t]*(?:\[([ xX✓✔✅☑-])\](?!\())?(.*)$/u.exec(line.trim()) ?? [];
  return { indent, isBullet: bullet !== undefined, box, words: words.trim() };
}

const NOTHING =
  /^(?:none|empty|nil|null|n\/?a|(?:there (?:are|is) )?(?:currently )?(?:no|nothing)(?: (?:active|open|pending|scheduled|current|new|recurring|periodic|regular|heartbeat))*(?: (?:tasks?|items?|reminders?|entries|checks?|to-?dos?))?(?: (?:to (?:do|check|report|see)|here|yet|now|for now|right now|at the moment|today|planned|scheduled|pending|added|listed|defined|configured|set))*)$/i;
// What templates say to whoever fills them in.
const TEMPLATE =
  /^(?:(?:keep|leave) this file empty\b.*|add (?:(?:your|the|own|periodic|recurring|heartbeat) )*(?:tasks?|items?|reminders?|checks?|to-?dos?|lines?) (?:below|here)(?: (?:when|if|for|to have|that|which) .*)?|this file is (?:checked|read) (?:every|each|once|on) [^.:;!?]*|if this file (?:is empty|has no tasks?)\b[^.:;!?]{0,120} skips?(?: (?:the |this )?(?:heartbeats?|beats?)\b[^.:;!?]{0,60})?)$/i;
/** A section of links for whoever fills the file in, as pages of manuals end with. */
const LINKS_TITLE = /^[\s#]*(?:related|see also|links|references)[\s:]*$/i;
/** A section of what was done. */
const DONE_TITLE = /^[^\p{L}\p{N}]*(?:completed|done|finished|archived?)(?: (?:tasks?|items?|reminders?))?[^\p{L}\p{N}]*$/iu;
const LINK = /^!?\[[^[\]]{1,200}\]\([^()\s]{0,500}\)$/;

/** True for words that ask for something. */
function asks(words: string): boolean {
  // A definition of a link shows nothing.
  if (/^\[[^\]]{1,200}\]:\s/.test(words)) return false;
  const plain = words
    .replace(/<(summary|h[1-6]|title)>[^<]{0,200}<\/\1>/gi, ' ')
    .replace(/<\/?[a-z][a-z0-9-]{0,20}(?:\s[^<>]{0,200})?\/?>/gi, ' ')
    .replace(/&nbsp;/gi, ' ')
    .replace(/[`*_~()[\]"“”]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[ .!:;…]+$/, '')
    .trim();
  return /[\p{L}\p{N}\p{S}]/u.test(plain) && !/^[|=+:\s-]*$/.test(plain) && !NOTHING.test(plain) && !TEMPLATE.test(plain);
}
