import { InvalidArgumentError } from '@x/core';
import { jsonOf } from './dialect.js';
import type { ArchiveEntry } from './options.js';

/**
 * Puts the original transcript together again from what `archive` was given: nothing summarised, nothing shortened.
 *
 * @param messages - The conversation as it is now.
 * @param archive - Every entry of this conversation, oldest first.
 * @throws {@link InvalidArgumentError} an entry is missing, or the conversation was changed in another way in between.
 */
export function restore<M extends object>(messages: readonly M[], archive: readonly ArchiveEntry[]): readonly M[] {
  let original: readonly object[] = messages;
  for (let index = archive.length - 1; index >= 0; index -= 1) {
    const { before, after, revision } = archive[index]!;
    const goesOn = after.every(
      (message, position) =>
        position < original.length && (message === original[position] || jsonOf(message) === jsonOf(original[position])),
    );
    if (!goesOn)
      throw new InvalidArgumentError(
        `archive entry ${index} (fold ${revision}) does not lead to the messages after it. Pass every entry, oldest first.`,
      );
    original = [...before, ...original.slice(after.length)];
  }
  return original as readonly M[];
}
