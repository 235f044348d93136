import { type Block, isPromiseLike, type Parts, type Turn } from '@x/core';
import { type CallOptions, callHook, type HookEntry } from './hook-list.js';

/** What the features say of a turn, merged by part: a later one replaces an earlier one's part of the same name. */
export async function composeParts(
  hooks: readonly HookEntry[],
  view: (by: string) => Turn,
  options: CallOptions,
): Promise<{ readonly stable: Parts; readonly volatile: Parts }> {
  // Their own, filled up: a copy for each hook would be thrown away at the next.
  const stable: Record<string, string> = {};
  const volatile: Record<string, string> = {};
  for (const entry of hooks) {
    if (!entry.hook.compose) continue;
    const asked = callHook(entry, 'compose', () => entry.hook.compose?.(view(entry.name)), options);
    const said = isPromiseLike(asked) ? await asked : asked;
    Object.assign(stable, said?.stable);
    Object.assign(volatile, said?.volatile);
  }
  return { stable, volatile };
}

/** What the notes of a transcript say by now: the last text of each part that was not withdrawn; of a sender what was said before this input. */
export function partsSaid(blocks: readonly Block[], inputId: string): Parts {
  const said = new Map(blocks.filter(({ part, before }) => part !== 'sender' || before === inputId).map(({ part, text }) => [part, text]));
  return Object.fromEntries([...said].filter(([, text]) => text !== ''));
}
