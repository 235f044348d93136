import type { Answer, PendingRequest } from '@x/agentos';
import { answerTo, formOf } from './answer-form.js';
import { AnswerInvalidError } from './errors.js';

/** Says no to a question, whatever it wants. */
const DECLINE = '/no';

/** What to type, said below a question. */
export function hintFor(request: PendingRequest): string {
  const form = formOf(request);
  const link = request.url === undefined ? '' : `See ${request.url} . `;
  if (form.kind === 'yes-no') return `${link}Type yes or no.`;
  if (form.kind === 'choices') {
    const list = form.choices.map((choice, index) => `${index + 1} ${choice}`).join(', ');
    return `${link}Type a number: ${list}; ${DECLINE} declines.`;
  }
  return `${link}Type the answer${form.mayBeEmpty ? ', or /done when it is done' : ''}; ${DECLINE} declines.`;
}

/** The answer that a typed line is. @throws `answer_invalid` with what may be typed. */
export function answerInLine(request: PendingRequest, line: string): Answer {
  const form = formOf(request);
  const word = line.trim().toLowerCase();
  if (word === DECLINE) return answerTo(request, { ok: false });
  if (form.kind === 'yes-no') {
    if (/^(?:y|yes)$/.test(word)) return answerTo(request, { ok: true });
    if (/^(?:n|no)$/.test(word)) return answerTo(request, { ok: false });
    throw new AnswerInvalidError(hintFor(request));
  }
  if (form.kind === 'choices') {
    const chosen = form.choices.find((choice) => choice.toLowerCase() === word) ?? form.choices[Number(word) - 1];
    if (chosen === undefined) throw new AnswerInvalidError(hintFor(request));
    return answerTo(request, { ok: true, value: chosen });
  }
  return answerTo(request, { ok: true, value: form.mayBeEmpty && word === '/done' ? '' : line });
}
