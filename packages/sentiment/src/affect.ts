/** Which way a text leans; `neutral` also stands beside a score of `null`. */
export type Polarity = 'positive' | 'negative' | 'neutral';

/** Whom a feeling is aimed at: the assistant, someone else, the writer's own self, or nobody in particular. */
export type AffectTarget = 'assistant' | 'other' | 'self' | 'none';

/** What a reading rests on: a word, a phrase, an emoji, a written habit such as capitals, or a rule over the context. */
export interface Evidence {
  readonly kind:
    | 'word'
    | 'phrase'
    | 'emoji'
    | 'negation'
    | 'technical'
    | 'intensity'
    | 'sarcasm'
    | 'repetition'
    | 'request'
    | 'masked'
    | 'model'
    | 'language';
  /** The words of the text, lower case, or the name of the rule. */
  readonly text: string;
  /** How far it moved the score, about -1 to 1; 0 for what only explains. */
  readonly weight: number;
}

/** How a message feels, as far as its words tell. */
export interface AffectReading {
  /** -1 to 1, or `null` when the text gives no ground for a score. */
  readonly score: number | null;
  readonly polarity: Polarity;
  /** 0 to 1. */
  readonly intensity: number;
  /** 0 to 1: how far to trust the reading. */
  readonly confidence: number;
  /** BCP 47, or `und`. */
  readonly language: string;
  /** 0 calm to 1 excited. */
  readonly arousal: number;
  readonly target: AffectTarget;
  /** Probability, 0 to 1, that the writer is irritated; an event at 0.5 or above. */
  readonly frustrated: number;
  /** Probability, 0 to 1, that the writer is lost; an event at 0.5 or above. */
  readonly confused: number;
  /** Probability, 0 to 1, that the writer is pleased; an event at 0.5 or above. */
  readonly satisfied: number;
  readonly evidence: readonly Evidence[];
}

/** One earlier turn, oldest first. */
export interface ContextTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface DetectOptions {
  /** BCP 47; detected when absent. */
  readonly language?: string | undefined;
  /** Up to four turns before this one, oldest first. */
  readonly context?: readonly ContextTurn[] | undefined;
}
