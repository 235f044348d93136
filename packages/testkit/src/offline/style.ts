import type { GMIMood } from '@x/core';
import type { ReadState } from './read-state.js';

/** How an answer is to sound, as read from state and guidance. */
export interface Style {
  readonly level: 'basic' | 'middle' | 'deep';
  /** Half as long as it would be. */
  readonly shorter: boolean;
  readonly maxSentences?: number | undefined;
  /** Exactly so many, as far as there is something to say. */
  readonly sentences?: number | undefined;
  readonly maxWords?: number | undefined;
  readonly detailed: boolean;
  /** One fact, not several. */
  readonly oneConcept: boolean;
  /** Puts it in other words than before. */
  readonly anew: boolean;
  /** What the thing to do next is called. */
  readonly exercise: boolean;
  /** Names one thing to do next. */
  readonly oneStep: boolean;
  /** Says that it goes slowly, passes over the basics, or starts at what is easy to miss. */
  readonly pace?: 'slow' | 'quick' | undefined;
  readonly nonObvious: boolean;
  readonly list?: 'bullets' | 'numbers' | 'none' | undefined;
  /** True when more than one piece of guidance wants the question. */
  readonly askTwice: boolean;
  /** The question at the end: whether it was understood, what is meant, or an open one. */
  readonly ask?: 'check' | 'clarify' | 'open' | 'none' | undefined;
  /** How much notice it takes of the user's trouble: 0 none, 1 a nod, 2 a sentence, 3 and patience. */
  readonly acknowledge: 0 | 1 | 2 | 3;
  readonly apologise: boolean;
  readonly encourage: boolean;
  readonly thank: boolean;
  readonly names: boolean;
  readonly example?: boolean | undefined;
  readonly analogy?: boolean | undefined;
  readonly recap: boolean;
  readonly restate: boolean;
  readonly register?: 'formal' | 'casual' | undefined;
  readonly emoji: boolean;
  readonly exclaim?: boolean | undefined;
  readonly casing?: 'upper' | 'lower' | undefined;
  readonly language?: string | undefined;
  /** How the user is called. */
  readonly address?: string | undefined;
  readonly signature?: string | undefined;
  /** No courtesies before the answer. */
  readonly direct: boolean;
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  readonly mentions: readonly string[];
  readonly banned: readonly string[];
  readonly replaced: readonly (readonly [from: string, to: string])[];
}

const PLAIN: Style = {
  level: 'middle',
  shorter: false,
  detailed: false,
  oneStep: false,
  acknowledge: 0,
  askTwice: false,
  oneConcept: false,
  anew: false,
  exercise: false,
  nonObvious: false,
  apologise: false,
  encourage: false,
  thank: false,
  names: false,
  recap: false,
  restate: false,
  emoji: false,
  direct: false,
  starts: [],
  ends: [],
  mentions: [],
  banned: [],
  replaced: [],
};

const BY_MOOD: { readonly [K in GMIMood]: Partial<Style> } = {
  neutral: {},
  focused: { direct: true, example: false },
  empathetic: { acknowledge: 1 },
  curious: { ask: 'open' },
  assertive: { direct: true },
  analytical: { list: 'numbers' },
  frustrated: { maxSentences: 3 },
  creative: { analogy: true },
};

/** The style that a state alone suggests, before any guidance. */
export function styleOfState({ mood, skill, complexity }: ReadState): Style {
  const deep = skill === 'advanced' || skill === 'expert' || complexity === 'advanced';
  const basic = skill === 'beginner' || complexity === 'simple';
  return { ...PLAIN, ...(mood && BY_MOOD[mood]), level: deep ? 'deep' : basic ? 'basic' : 'middle' };
}

/** What the words on a trait do to the style, at the ends of its scale. */
const BY_MANNER: readonly (readonly [trait: string, words: RegExp, change: Partial<Style>])[] = [
  ['extraversion', /\b(?:livel\w+|outgoing|exuberant|cheerful)\b/i, { exclaim: true }],
  ['extraversion', /\b(?:fewest words|very quiet)\b/i, { shorter: true }],
  ['agreeableness', /\b(?:harsh|combative|critical and stubborn)\b/i, { direct: true }],
  ['conscientiousness', /\b(?:impulse|careless)\b/i, { shorter: true }],
  ['openness', /\b(?:imaginative|inventive)\b/i, { analogy: true }],
  ['openness', /\b(?:beaten path|very conventional)\b/i, { analogy: false }],
];
/** Traits that make somebody notice trouble. */
const TENDER: readonly (readonly [trait: string, words: RegExp])[] = [
  ['agreeableness', /\b(?:gentle|mild|lenient|kindness)\b/i],
  ['emotionality', /\b(?:sensitive|strongly|intensely)\b/i],
];

/** The style of somebody of this character; `isTroubled` when the user sounds annoyed or lost. */
export function withManner(style: Style, manner: ReadonlyMap<string, string>, isTroubled: boolean): Style {
  const matches = ([trait, words]: readonly [string, RegExp, ...unknown[]]): boolean => words.test(manner.get(trait) ?? '');
  const changed = Object.assign({}, style, ...BY_MANNER.filter(matches).map(([, , change]) => change)) as Style;
  return isTroubled && changed.acknowledge === 0 && TENDER.some(matches) ? { ...changed, acknowledge: 1 } : changed;
}
