import { type Stored, textOf } from '@x/core';

/** How many of the user's last messages are compared, and how alike two are that say the same. The figures are ours. */
const COMPARED = 5;
const ALIKE = 0.8;
/** Characters of a message that are compared. */
const COMPARED_CHARACTERS = 2000;

/**
 * Makes what tells whether a text is one of the user's last five messages again, or nearly: four of five different words
 * of both are in both. It remembers the words of the messages that it compared last.
 */
export function createRepeats(): (text: string, history: readonly Stored[]) => boolean {
  let known = new Map<string, ReadonlySet<string>>();
  return (text, history) => {
    const compared = new Map<string, ReadonlySet<string>>();
    const words = (said: string): ReadonlySet<string> => {
      const found = known.get(said) ?? wordsOf(said);
      compared.set(said, found);
      return found;
    };
    const now = words(text);
    let repeated = false;
    let seen = 0;
    for (let index = history.length - 1; index >= 0 && seen < COMPARED && !repeated && now.size >= 2; index -= 1) {
      const message = history[index]!;
      if (message.origin !== 'user') continue;
      seen += 1;
      repeated = overlap(now, words(textOf(message))) >= ALIKE;
    }
    known = compared;
    return repeated;
  };
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = text
    .slice(0, COMPARED_CHARACTERS)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return new Set(words);
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common += 1;
  return common / (a.size + b.size - common);
}
