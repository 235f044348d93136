/** A guess at the language of a text. */
export interface LanguageGuess {
  /** BCP 47, or `und`. */
  readonly language: string;
  /** 0 to 1. */
  readonly confidence: number;
}
