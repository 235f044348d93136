import { findReasoningMarks, type ReasoningMark } from '../reasoning-marks.js';
import { scanJson } from './scan-json.js';
import { startsJson } from './starts-json.js';

/** A complete object or list in a text. */
export interface Candidate {
  /** As it stands. */
  readonly text: string;
  /** With light damage mended. */
  readonly mended: string;
}

export interface Candidates {
  /** Those that say something first: with an object inside, then lists of plain values, then empty ones. */
  readonly candidates: readonly Candidate[];
  /** `cut`: something JSON-like was left without its end or its middle; `broken`: it has one, and cannot be read. */
  readonly damage: 'none' | 'broken' | 'cut';
}

/**
 * Finds the complete objects and lists in a text: from each opening bracket to the one that closes it, with strings
 * understood, so that prose, fences and footnotes around a value do no harm. Nothing comes from a model's thinking aloud,
 * and nothing from the inside of a value that was cut off or is broken. One pass: the time is linear in the text.
 */
export function jsonCandidates(text: string): Candidates {
  const marks = [...findReasoningMarks(text)];
  let found: Candidate[] = [];
  let damage: Candidates['damage'] = 'none';
  let depth = 0;
  let isCut = false;
  let nextMark = 0;
  for (let at = 0; ; ) {
    while ((marks[nextMark]?.start ?? at) < at) nextMark += 1;
    const mark = marks[nextMark];
    // What follows a value that never closed belongs to it, unless a closing tag tells that all of it was thinking.
    const bracket = depth > 0 || isCut ? -1 : nextBracket(text, at, mark?.start ?? text.length);
    if (bracket === -1) {
      if (!mark) break;
      at = mark.end;
      if (mark.kind === 'open') depth += 1;
      else if (mark.kind === 'close' && depth > 0) depth -= 1;
      else {
        [found, damage, depth, isCut] = [[], 'none', 0, false];
      }
      continue;
    }
    const start = startsJson(text, bracket);
    if (!start.isJson) {
      at = start.next;
      continue;
    }
    const { end, json, isPartial } = scanJson(text, bracket);
    if (isPartial) damage = 'cut';
    else if (json === undefined && damage === 'none') damage = 'broken';
    isCut = end === undefined;
    // Stray quotes in thinking may reach into the answer behind it; in a value that can be read, a tag is part of a string.
    const closing = json === undefined ? lastClosing(marks, nextMark, end) : undefined;
    at = closing?.start ?? end ?? bracket + 1;
    if (json !== undefined) found.push({ text: text.slice(bracket, end), mended: json });
  }
  return { candidates: ranked(found, damage), damage };
}

function ranked(found: readonly Candidate[], damage: Candidates['damage']): readonly Candidate[] {
  const isEmpty = ({ text }: Candidate): boolean => /^[{[]\s*[}\]]$/.test(text);
  const isRich = (candidate: Candidate): boolean => !isEmpty(candidate) && candidate.text.includes('{');
  const rich = found.filter(isRich);
  // A footnote such as [1] is not the answer when the answer was cut off.
  if (damage === 'cut') return rich;
  return [...rich, ...found.filter((one) => !isEmpty(one) && !isRich(one)), ...found.filter(isEmpty)];
}

// Without an end, marks are gone through one by one.
function lastClosing(marks: readonly ReasoningMark[], from: number, end = 0): ReasoningMark | undefined {
  let last: ReasoningMark | undefined;
  for (let index = from; (marks[index]?.start ?? end) < end; index += 1) if (marks[index]?.kind !== 'open') last = marks[index];
  return last;
}

function nextBracket(text: string, from: number, to: number): number {
  for (let index = from; index < to; index += 1) if (text[index] === '{' || text[index] === '[') return index;
  return -1;
}
