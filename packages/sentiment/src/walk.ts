import type { Findings } from './findings.js';
import type { Tokens } from './tokens.js';

/** How many words a negation reaches. */
export const NEGATION_REACH = 4;
/** How many words an intensifier reaches. */
const BOOST_REACH = 2;

/** A text that is being read, as far as it has been walked. */
export class Walk {
  /** Most letters are capitals: then none of them stresses a word. */
  readonly shouts: boolean;
  /** Negations in force, where their reach begins, and the first of them. */
  negations = 0;
  negatedFrom = -NEGATION_REACH - 1;
  negatorAt = -1;
  /** The last "but", or -1. */
  contrastAt = -1;
  /** What the last intensifier does, and where it stands. */
  boost = 1;
  boostAt = -BOOST_REACH - 1;

  constructor(
    readonly tokens: Tokens,
    readonly found: Findings,
  ) {
    this.shouts = tokens.uppers > 0.6 * tokens.letters;
  }
}

/** What the last intensifier makes of a weight at `index`. */
export function boosted({ boost, boostAt }: Walk, weight: number, index: number): number {
  return index - boostAt <= BOOST_REACH ? weight * boost : weight;
}
