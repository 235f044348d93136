import { CUES, MARKS, type Mark } from './lexicon/language-source.js';

/** Above the cues stands the value of a phrase that has one of its own: value plus 16; above it the marks. */
const VALUE_SHIFT = CUES.length;
const CUE_MASK = (1 << VALUE_SHIFT) - 1;
const VALUE_MASK = 31;
const MARK_SHIFT = VALUE_SHIFT + 5;
const SAID_MASK = (1 << MARK_SHIFT) - 1;

/** The value that a place of a lexicon holds beside its cues, or `undefined`. */
export function phraseValue(cues: number): number | undefined {
  const value = (cues >>> VALUE_SHIFT) & VALUE_MASK;
  return value === 0 ? undefined : value - 16;
}

/** The bits of a phrase's own value, -5 to 5. */
export function phraseValueBits(value: number): number {
  return (value + 16) << VALUE_SHIFT;
}

/** The bits of a phrase's marks. */
export function phraseMarkBits(marks: number): number {
  return marks << MARK_SHIFT;
}

/** The cues alone. */
export function phraseCues(cues: number): number {
  return cues & CUE_MASK;
}

/** The first of several cues. */
export function lowestCue(cues: number): number {
  return 31 - Math.clz32(cues & -cues);
}

/** Cues and value, without the marks. */
export function phraseSaid(cues: number): number {
  return cues & SAID_MASK;
}

/** The marks, each a {@link markBit}. */
export function phraseMarks(cues: number): number {
  return cues >>> MARK_SHIFT;
}

/** A mark among those of a phrase. */
export function markBit(mark: Mark): number {
  return 1 << MARKS.indexOf(mark);
}
