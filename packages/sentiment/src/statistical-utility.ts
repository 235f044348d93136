import type { SentimentOptions } from '@x/core';
import type { ContextTurn } from './affect.js';
import { detectAffect } from './detect-affect.js';
import type { AffectResult } from './turn-reading.js';

/** What {@link StatisticalUtilityAI.analyzeSentiment} takes beyond the seam: the turns before, oldest first. */
export interface AffectOptions extends SentimentOptions {
  readonly context?: readonly ContextTurn[] | undefined;
}

/** The text tools of the seed without a model call. */
export class StatisticalUtilityAI {
  readonly utilityId: string;

  constructor({ utilityId = 'stat-utility' }: { readonly utilityId?: string | undefined } = {}) {
    this.utilityId = utilityId;
  }

  async analyzeSentiment(text: string, options: AffectOptions = {}): Promise<AffectResult> {
    const reading = detectAffect(text, options);
    const tokens = reading.evidence.map(({ text: token, weight }) => ({ token, score: weight }));
    return {
      ...reading,
      comparative: tokens.length === 0 ? 0 : tokens.reduce((sum, { score }) => sum + score, 0) / tokens.length,
      positiveTokens: tokens.filter(({ score }) => score > 0),
      negativeTokens: tokens.filter(({ score }) => score < 0),
      neutralTokens: tokens.filter(({ score }) => score === 0),
    };
  }
}
