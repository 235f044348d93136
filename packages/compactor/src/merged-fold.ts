import { type Fields, isFields } from './dialect.js';
import { parseFold, textBehindFold } from './fold-message.js';
import { isSummaryMessage } from './marks.js';

/** A fold stands among the first messages, behind what the host says. */
const SEARCHED = 8;

/** Merged messages and their halves, which stay the same objects from run to run: messages are known by identity. */
export type PartedFolds = WeakMap<object, { readonly said: readonly unknown[]; readonly halves: readonly [object, object] | undefined }>;

/**
 * The list with a fold's message parted from what a host joined to it: where roles must alternate, a client stores fold
 * and question as one message, and the question must not leave with the fold. An id goes with the question.
 *
 * @returns The list itself where nothing was joined.
 */
export function partMergedFolds<M extends object>(messages: readonly M[], known: PartedFolds): readonly M[] {
  for (let index = 0; index < messages.length && index < SEARCHED; index += 1) {
    const message = messages[index]!;
    const { role, origin, content } = message as Fields;
    if (role !== 'user' || origin !== undefined || !isSummaryMessage(message)) continue;
    let parts = known.get(message);
    const said = saidIn(content);
    if (parts === undefined || parts.said.length !== said.length || said.some((one, place) => one !== parts?.said[place])) {
      parts = { said, halves: parseFold(message) && parted(message) };
      known.set(message, parts);
    }
    if (parts.halves) return [...messages.slice(0, index), ...(parts.halves as readonly [M, M]), ...messages.slice(index + 1)];
  }
  return messages;
}

/** What tells a content from another one, though its owner put more into the same list or part. */
function saidIn(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content.flatMap((part: unknown) => [part, isFields(part) ? part['text'] : undefined]) : [content];
}

function parted<M extends object>(message: M): readonly [M, M] | undefined {
  const { id: _, ...fold } = message as Fields;
  const { content } = fold;
  if (typeof content === 'string') {
    const said = textBehindFold(content);
    if (said.trim() === '') return undefined;
    return [{ ...fold, content: content.slice(0, content.length - said.length) } as M, { ...message, content: said.trim() }];
  }
  const [first, ...others] = Array.isArray(content) ? (content as readonly unknown[]) : [];
  if (!isFields(first) || typeof first['text'] !== 'string' || parseFold({ role: 'user', content: first['text'] }) === undefined)
    return undefined;
  const said = textBehindFold(first['text']);
  const rest = said.trim() === '' ? others : [{ ...first, text: said.trim() }, ...others];
  if (rest.length === 0) return undefined;
  return [
    { ...fold, content: [{ ...first, text: first['text'].slice(0, first['text'].length - said.length) }] } as M,
    { ...message, content: rest },
  ];
}
