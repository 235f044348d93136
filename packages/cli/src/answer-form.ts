import type { Answer, PendingRequest } from '@x/agentos';
import { AnswerInvalidError } from './errors.js';

/** How a question is answered: with a yes or a no, with one of some texts, or with a text of one's own. */
export type AnswerForm =
  | { readonly kind: 'yes-no' }
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  /** `mayBeEmpty`: it is done elsewhere, such as at the address that comes with the question, and only has to be said so. */
  | { readonly kind: 'text'; readonly mayBeEmpty: boolean };

/** Characters of an answer. */
export const MAX_ANSWER = 20_000;

/** Kinds of questions that want a yes or a no. The list is ours. */
const YES_NO: ReadonlySet<string> = new Set(['approval', 'confirm', 'confirmation', 'permission']);

/** `data.choices`, a list of texts, decides; then the kind of the question. */
export function formOf({ kind, data, url }: Pick<PendingRequest, 'kind' | 'data' | 'url'>): AnswerForm {
  const choices = typeof data === 'object' && data !== null && 'choices' in data ? data.choices : undefined;
  if (Array.isArray(choices) && choices.length > 0 && choices.every((choice) => typeof choice === 'string'))
    return { kind: 'choices', choices: [...new Set(choices as readonly string[])] };
  return YES_NO.has(kind) ? { kind: 'yes-no' } : { kind: 'text', mayBeEmpty: url !== undefined };
}

/**
 * The answer that a human's word is: `ok` false declines. Where a yes is wanted the value is `true`.
 *
 * @throws {@link AnswerInvalidError} the value is not one that the question wants.
 */
export function answerTo(request: PendingRequest, { ok, value }: { readonly ok: unknown; readonly value?: unknown }): Answer {
  const { id } = request;
  if (ok === false) return { id, ok, reason: 'declined' };
  const form = formOf(request);
  if (ok !== true) throw new AnswerInvalidError('An answer says whether it is a yes or a no: ok is true or false.');
  if (form.kind === 'yes-no') return { id, ok, value: true };
  if (form.kind === 'choices') {
    if (!form.choices.some((choice) => choice === value)) throw new AnswerInvalidError(`Choose one of: ${form.choices.join(', ')}.`);
    return { id, ok, value: String(value) };
  }
  const text = typeof value === 'string' ? value.trim() : '';
  if (text.length > MAX_ANSWER) throw new AnswerInvalidError(`Answer with at most ${MAX_ANSWER.toLocaleString('en')} characters.`);
  if (text === '' && !form.mayBeEmpty) throw new AnswerInvalidError('Write an answer, or decline.');
  return text === '' ? { id, ok } : { id, ok, value: text };
}

/** An answer in the words of a list of what happened. */
export function inWords({ ok, value }: Answer): string {
  if (!ok) return 'declined';
  return value === undefined ? 'done' : value === true ? 'yes' : String(value);
}
