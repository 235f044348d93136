import type { ContextSigns } from './context-signs.js';
import { HEADS } from './features.js';
import type { Findings } from './findings.js';
import { CUE_AT, type Cue } from './lexicon/language-source.js';
import type { RuleSigns } from './rule-signs.js';

/** All that a rule looks at. */
export interface RuleInput {
  readonly found: Findings;
  readonly signs: RuleSigns;
  readonly context: ContextSigns;
}

/** A rule moves the log-odds of the heads when it applies; it never decides alone. */
export interface Rule {
  readonly name: string;
  readonly kind: 'sarcasm' | 'repetition' | 'request' | 'technical' | 'intensity' | 'phrase';
  applies(input: RuleInput): boolean;
  /** In the order of `HEADS`: frustrated, confused, satisfied, positive, negative. */
  readonly shift: readonly [number, number, number, number, number];
}

const has = ({ found }: RuleInput, cue: Cue): boolean => (found.cues[CUE_AT[cue]] ?? 0) > 0;
const irritated = (input: RuleInput): boolean => has(input, 'frustrated') || has(input, 'insult') || has(input, 'shush');
const pleased = (input: RuleInput): boolean => has(input, 'pleased') || has(input, 'praise') || has(input, 'resolved');

const turned = (found: Findings): boolean => found.hits.some(({ kind }) => kind === 'negation');

/**
 * What people know and the linear model has too few examples of. The figures are ours, set by category of message and
 * never by single lines; the error card shows what each rule changes.
 */
export const RULES: readonly Rule[] = [
  {
    name: 'sarcasm',
    kind: 'sarcasm',
    applies: ({ signs }) => signs.sarcasm,
    shift: [4, 0, -4, -3, 3],
  },
  {
    name: 'failure-again',
    kind: 'repetition',
    applies: (input) => has(input, 'again') && has(input, 'failure') && !pleased(input) && input.found.requests === 0,
    shift: [1.5, 0, -1, -1, 1],
  },
  {
    name: 'said-again',
    kind: 'repetition',
    applies: ({ context }) => context.repeats,
    shift: [5, 0, -1, -1, 1],
  },
  {
    name: 'claimed-fixed',
    kind: 'repetition',
    applies: (input) =>
      input.context.claimedFixed && input.context.failures > 0 && (has(input, 'failure') || has(input, 'again')) && !pleased(input),
    shift: [3, 0, -2, -1, 1],
  },
  {
    name: 'plain-irritation',
    kind: 'phrase',
    applies: (input) => irritated(input) && !input.signs.sarcasm && input.found.negative > input.found.positive,
    shift: [0.9, 0, -1, -0.5, 0.5],
  },
  {
    name: 'complaint',
    kind: 'phrase',
    applies: (input) => has(input, 'complaint') && !pleased(input) && input.found.negative >= input.found.positive,
    shift: [2.4, 0, -1, -1, 1.2],
  },
  {
    name: 'shouted-order',
    kind: 'intensity',
    applies: ({ signs, found }) => signs.shouting && found.negative > 0.5 && found.positive < found.negative,
    shift: [2, 0, -1, -1, 1],
  },
  {
    name: 'calm-report',
    kind: 'technical',
    applies: (input) =>
      has(input, 'failure') &&
      !has(input, 'again') &&
      !input.signs.sarcasm &&
      !irritated(input) &&
      !has(input, 'swear') &&
      !has(input, 'complaint') &&
      input.signs.exclamations === 0,
    shift: [-1, 0, 0, 0, -0.7],
  },
  {
    name: 'nothing-own',
    kind: 'technical',
    applies: ({ found }) => found.masked > 0 && found.hits.every((hit) => Math.abs(hit.weight) < 1.5),
    shift: [-1.5, -1, -1.5, -1, -1],
  },
  {
    name: 'plain-question',
    kind: 'request',
    applies: (input) => input.signs.opensAsking && !has(input, 'confused') && !has(input, 'puzzled') && input.signs.loudQuestions === 0,
    shift: [0, -1.5, 0, 0, 0],
  },
  {
    name: 'plain-request',
    kind: 'request',
    applies: (input) => has(input, 'request') && !has(input, 'confused') && !irritated(input) && !input.context.repeats,
    shift: [-0.3, -0.7, 0, 0, 0],
  },
  {
    name: 'polite-thanks',
    kind: 'phrase',
    applies: (input) => (input.signs.politeClosing || has(input, 'ahead')) && !pleased(input),
    shift: [0, 0, -3, -1, 0],
  },
  {
    name: 'said-confused',
    kind: 'phrase',
    applies: (input) => has(input, 'confused') && input.found.words <= 25,
    shift: [0, 0.7, 0, 0, 0],
  },
  {
    name: 'it-works',
    kind: 'phrase',
    applies: (input) =>
      (has(input, 'pleased') || has(input, 'resolved')) && !irritated(input) && !has(input, 'again') && !input.signs.sarcasm,
    shift: [-1, 0, 1.5, 1, -1],
  },
  {
    name: 'strong-bad-words',
    kind: 'intensity',
    applies: ({ found, signs }) => found.negative - found.positive >= 2.5 && found.positive < 0.5 && !signs.sarcasm,
    shift: [0.7, 0, 0, -1, 1.5],
  },
  {
    name: 'strong-good-words',
    kind: 'intensity',
    applies: ({ found, signs }) => found.positive - found.negative >= 2.5 && found.negative < 0.5 && !signs.sarcasm,
    shift: [0, 0, 0, 1.5, -1],
  },
  {
    name: 'turned-to-good',
    kind: 'phrase',
    applies: ({ found, signs }) => turned(found) && found.positive >= 1.2 && found.negative < 0.5 && !signs.sarcasm,
    shift: [-0.5, 0, 0, 1.5, -1],
  },
  {
    name: 'turned-to-bad',
    kind: 'phrase',
    applies: ({ found }) => turned(found) && found.negative >= 1.2 && found.positive < 0.5,
    shift: [0, 0, -1.5, -1.5, 1.5],
  },
  {
    name: 'short-praise',
    kind: 'phrase',
    applies: (input) =>
      input.found.words <= 3 &&
      input.found.positive >= 1.9 &&
      input.found.negative < 1.1 &&
      !has(input, 'ahead') &&
      !input.signs.sarcasm &&
      !input.signs.endsAsking,
    shift: [0, 0, 1.5, 1, -0.5],
  },
];

/** Adds the shifts of the rules that apply to `logits`; returns which did. */
export function applyRules(input: RuleInput, logits: number[], rules: readonly Rule[] = RULES): readonly Rule[] {
  const applied = rules.filter((rule) => rule.applies(input));
  for (const { shift } of applied) {
    for (let head = 0; head < HEADS.length; head += 1) logits[head] = (logits[head] ?? 0) + (shift[head] ?? 0);
  }
  return applied;
}
