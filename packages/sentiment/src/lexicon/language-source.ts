/** What a phrase says, beyond its value. */
export const CUES = [
  'frustrated',
  'insult',
  'swear',
  'shush',
  'complaint',
  'again',
  'failure',
  'confused',
  'puzzled',
  'pleased',
  'thanks',
  'praise',
  'ahead',
  'request',
  'sarcasm',
  'idiom',
  'resolved',
] as const;
export type Cue = (typeof CUES)[number];
/** By cue, its place in {@link CUES}. */
export const CUE_AT = /* @__PURE__ */ Object.fromEntries(CUES.map((cue, at) => [cue, at])) as { readonly [C in Cue]: number };

/** What words are to the sentence, beside what they say: found without taking part in the search for phrases. */
export const MARKS = ['other', 'felt', 'task', 'now'] as const;
export type Mark = (typeof MARKS)[number];

/**
 * The words of one language, as strings so that they stay small.
 *
 * A list of phrases is divided by `|`; `{a,b}` stands for either, `{,a}` for an optional word. A single word is a phrase
 * of one. `values` holds lines of `score:word,word` on AFINN's scale, -5 to 5.
 */
export interface LanguageSource {
  readonly language: string;
  readonly values: string;
  readonly phrases: { readonly [K in Cue]?: string | undefined };
  /**
   * Words, and phrases in the same notation. `other`: people of whom a writer tells, and what they write; `felt`: what a person feels, never what
   * makes one feel so; `task`: verbs that hand over a task; `now`: as in "great, now nothing works".
   */
  readonly marks: { readonly [M in Mark]: string };
  /** Turn what follows in the clause around. */
  readonly negators: string;
  readonly boosters: string;
  readonly dampers: string;
  /** Words that may stand inside a phrase without changing it. */
  readonly fillers: string;
  /** Words after which the weight of a sentence lies: `but`. */
  readonly contrasts: string;
  /** Words for whom the writer talks to, and for others. */
  readonly second: string;
  readonly third: string;
  /** Words that open a request. */
  readonly requests: string;
}

/** The value that a cue gives a phrase of its own, on AFINN's scale. */
export const CUE_VALUES: { readonly [K in Cue]: number } = {
  frustrated: -3,
  insult: -3,
  swear: -2,
  shush: -3,
  complaint: -2,
  again: 0,
  failure: -1,
  confused: -1,
  puzzled: 0,
  pleased: 3,
  thanks: 2,
  praise: 3,
  ahead: 0,
  request: 0,
  sarcasm: -2,
  idiom: 0,
  resolved: 2,
};
