import type { Note } from './notes.js';
import { stepOf } from './plan-compaction.js';

/** Two failures are taken for bad luck; then the next try waits for the conversation to grow. */
const FREE_FAILURES = 2;

/** Tokens by which a conversation must have grown after so many failures in a row: none, then 5 % of `maxTokens`, 10 %, 20 %, 40 %. */
export function growthAfter(failures: number, maxTokens: number): number {
  return failures < FREE_FAILURES ? 0 : stepOf(maxTokens) * 2 ** Math.min(3, failures - FREE_FAILURES);
}

/** True while a conversation that failed has not grown enough for another try. */
export function isWaiting(note: Note | undefined, tokens: number, maxTokens: number): boolean {
  const waits = growthAfter(note?.failures ?? 0, maxTokens);
  return note !== undefined && waits > 0 && tokens < note.tokens + waits;
}
