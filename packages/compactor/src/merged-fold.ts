import { type Fields, isFields } from './dialect.js';
import { parseFold, textBehindFold } from './fold-message.js';
import { isSummaryMessage } from './marks.js';

/** A fold stands among the first messages, behind what the host says. */
const SEARCHED = 8;

/**
 * The list with a fold's message parted from what a host joined to it: where roles must alternate, a client stores fold
 * and question as one message, and the question must not leave with the fold.
 *
 * @returns The list itself where nothing was joined.
 */
export function partMergedFolds<M extends object>(messages: readonly M[]): readonly M[] {
  for (let index = 0; index < messages.length && index < SEARCHED; index += 1) {
    const message = messages[index]!;
    const { role, origin } = message as Fields;
    if (role !== 'user' || origin !== undefined || !isSummaryMessage(message) || parseFold(message) === undefined) continue;
    const parts = parted(message);
    if (parts) return [...messages.slice(0, index), ...parts, ...messages.slice(index + 1)];
  }
  return messages;
}

function parted<M extends object>(message: M): readonly [M, M] | undefined {
  const { content } = message as Fields;
  if (typeof content === 'string') {
    const said = textBehindFold(content);
    if (said.trim() === '') return undefined;
    return [
      { ...message, content: content.slice(0, content.length - said.length) },
      { ...message, content: said.trim() },
    ];
  }
  const [first, ...others] = Array.isArray(content) ? (content as readonly unknown[]) : [];
  if (!isFields(first) || typeof first['text'] !== 'string' || parseFold({ role: 'user', content: first['text'] }) === undefined)
    return undefined;
  const said = textBehindFold(first['text']);
  const rest = said.trim() === '' ? others : [{ ...first, text: said.trim() }, ...others];
  if (rest.length === 0) return undefined;
  return [
    { ...message, content: [{ ...first, text: first['text'].slice(0, first['text'].length - said.length) }] },
    { ...message, content: rest },
  ];
}
