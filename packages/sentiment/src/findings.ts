import type { Evidence } from './affect.js';
import { CUES } from './lexicon/language-source.js';
import { lowestCue } from './phrase-bits.js';

// Copying a list is quicker than making one and filling it.
const NO_CUES: readonly number[] = /* @__PURE__ */ CUES.map(() => 0);
const NOWHERE: readonly number[] = /* @__PURE__ */ CUES.map(() => -1);

/**
 * What stands in a text, found once and read by all rules. A class: of a literal that another function makes V8 forgets
 * that its sums turn from whole numbers to others, and looks at its shape again for every text.
 */
export class Findings {
  /** By cue, in the order of `CUES`: how often it stands there un-negated. */
  readonly cues: number[] = NO_CUES.slice();
  /** By cue: the index of its first token, -1 for none. */
  readonly first: number[] = NOWHERE.slice();
  /** Sums of what words and phrases weigh, on AFINN's scale; `negative` is 0 or above. */
  positive = 0;
  negative = 0;
  words = 0;
  /** Spans of code, logs and quotes. */
  masked = 0;
  second = 0;
  third = 0;
  requests = 0;
  negations = 0;
  contrasts = 0;
  /** Verbs that hand over a task. */
  tasks = 0;
  /** The first "now", or -1. */
  nowAt = -1;
  readonly hits: Hit[] = [];
}

export interface Hit {
  readonly kind: Evidence['kind'];
  /** The token that shows it: its first, for a negated word the negator. */
  readonly shown: number;
  /** Where it begins, and where it ends (exclusive). */
  readonly at: number;
  readonly end: number;
  /** On AFINN's scale. */
  weight: number;
  /** The cues that it gave, as bits in the order of `CUES`. */
  cues: number;
}

/** Counts the cues that stand at `index`. */
export function addCues(found: Findings, cues: number, index: number): void {
  for (let rest = cues; rest !== 0; rest &= rest - 1) {
    const cue = lowestCue(rest);
    found.cues[cue] = (found.cues[cue] ?? 0) + 1;
    if (found.first[cue] === -1) found.first[cue] = index;
  }
}
