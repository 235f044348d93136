import { RequestError } from './api.js';

/** Errors that say something about an open question, in the words of who looks at this page. */
const IN_WORDS: { readonly [code: string]: string } = {
  nothing_parked: 'This question is not open any more: it was answered or dropped elsewhere. Your answer was not used.',
  answer_mismatch: 'Another question is open by now. Your answer was not used.',
  answer_used: 'Somebody else has just answered this question, and the turn is running there. Your answer was not used.',
  turn_parked: 'A question is open here by now. Answer it first.',
};

/** What went wrong, for people. */
export function problemText(error: unknown): string {
  const known = error instanceof RequestError && error.code !== undefined ? IN_WORDS[error.code] : undefined;
  return known ?? (error instanceof Error ? error.message : String(error));
}
