import type { ContextSigns } from './context-signs.js';
import type { Findings } from './findings.js';
import { CUES } from './lexicon/language-source.js';
import { KIND, kindOf, type Tokens, textOf } from './tokens.js';

/** Signs that no single word gives: how the text is written, and which findings stand together. */
export interface RuleSigns {
  readonly sarcasm: boolean;
  /** Praise in front and a failure behind it: either may be meant. */
  readonly praiseThenFailure: boolean;
  /** Thanks at the end of a request: politeness, not gratitude for something done. */
  readonly politeClosing: boolean;
  /** Nearly all capitals. */
  readonly shouting: boolean;
  /** Exclamation marks, question marks, drawn-out runs. */
  readonly exclamations: number;
  readonly questions: number;
  readonly loudQuestions: number;
  readonly dots: number;
  readonly endsAsking: boolean;
  readonly opensAsking: boolean;
}

const at = (cue: (typeof CUES)[number]): number => CUES.indexOf(cue);
const FRUSTRATED = at('frustrated');
const AGAIN = at('again');
const FAILURE = at('failure');
const RESOLVED = at('resolved');
const SARCASM = at('sarcasm');
const THANKS = at('thanks');
const PLEASED = at('pleased');
const REQUEST = at('request');
const PRAISE = at('praise');

export function ruleSigns(tokens: Tokens, found: Findings, context: ContextSigns): RuleSigns {
  let exclamations = 0;
  let questions = 0;
  let loudQuestions = 0;
  let dots = 0;
  const last = tokens.size - 1;
  for (let index = 0; index <= last; index += 1) {
    if (tokens.kinds[index] !== KIND.mark) continue;
    const text = textOf(tokens, index);
    if (text.startsWith('!')) exclamations += text.length;
    else if (text === '?') questions += 1;
    else if (text.startsWith('?')) loudQuestions += 1;
    else if (text === '...' || text === '…' || text === '..') dots += 1;
  }
  const lastMark = textOf(tokens, last);
  const count = (cue: number): number => found.cues[cue] ?? 0;
  const endsAsking = lastMark.startsWith('?');
  const requestAt = found.first[REQUEST] ?? -1;
  const thanksAt = found.first[THANKS] ?? -1;
  return {
    sarcasm: isSarcastic(tokens, found, context),
    praiseThenFailure: praiseThenFailure(found),
    politeClosing:
      count(THANKS) === 1 &&
      count(PLEASED) + count(PRAISE) + count(RESOLVED) === 0 &&
      requestAt !== -1 &&
      requestAt < thanksAt &&
      thanksAt >= last - 3 &&
      found.words >= 5,
    shouting: tokens.letters >= 8 && tokens.uppers > 0.7 * tokens.letters && found.words >= 2,
    exclamations,
    questions,
    loudQuestions,
    dots,
    endsAsking,
    opensAsking: requestAt === 0 || (requestAt === 1 && found.words > 2),
  };
}

/** How far into a message praise may stand to be meant the other way by the failure that follows. */
const OPENING = 3;
/** Longer messages tell of more than a praise and a failure; and how far behind the praise a "now" may stand. Ours. */
const SHORT = { words: { most: 14, toNow: 1 }, characters: { most: 28, toNow: 4 } } as const;

/**
 * Praise that opens a message and is followed by a failure that came again, or a plain sarcastic phrase. Words that say
 * that the failure is over take it back: "Great, the crash is gone".
 */
function isSarcastic(tokens: Tokens, found: Findings, context: ContextSigns): boolean {
  const count = (cue: number): number => found.cues[cue] ?? 0;
  if (count(SARCASM) > 0 || endsInNot(tokens, found)) return true;
  const praise = found.hits.find((hit) => hit.weight >= 1.5 && hit.at < OPENING);
  if (praise === undefined || count(RESOLVED) > 0) return false;
  const failureAt = found.first[FAILURE] ?? -1;
  const againAt = found.first[AGAIN] ?? -1;
  const bad = failureAt > praise.at || (found.first[FRUSTRATED] ?? -1) > praise.at;
  const again = againAt > praise.at;
  if (!bad || found.contrasts > 0 || found.requests + count(REQUEST) > 1) return false;
  const { most, toNow } = tokens.kinds[praise.at] === KIND.cjk ? SHORT.characters : SHORT.words;
  const isShort = found.words <= most;
  // "Great, now fix the error" hands over the next task and is meant as it stands.
  const isTurned = found.nowAt > praise.at && found.nowAt - praise.end <= toNow && found.tasks === 0;
  if (again || isTurned) return isShort;
  // Without an "again" only a bare failure counts, and only where one was told of before.
  return isShort && context.failures > 0 && textOf(tokens, praise.at + 1) !== 'job';
}

/** "so helpful... not": praise that is taken back by the last word. */
function endsInNot(tokens: Tokens, { hits }: Findings): boolean {
  let last = tokens.size - 1;
  while (last > 0 && kindOf(tokens, last) === KIND.mark) last -= 1;
  return (
    textOf(tokens, last) === 'not' &&
    kindOf(tokens, last - 1) === KIND.mark &&
    hits.some(({ weight, at: place }) => weight >= 1 && place < last)
  );
}

function praiseThenFailure({ hits, first, cues }: Findings): boolean {
  const praise = hits.find((hit) => hit.weight >= 1.5 && hit.at < OPENING);
  return praise !== undefined && (first[FAILURE] ?? -1) > praise.at && (cues[RESOLVED] ?? 0) === 0;
}
