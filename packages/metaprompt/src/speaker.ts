import { type Batch, type BatchItem, isStrangersTurn, type Stored, type Turn } from '@x/core';

/**
 * Who spoke in the turn that woke a metaprompt. Told in lanes of a directory alone: there one memory and one character
 * serve everybody, so what somebody else than the owner says must not become either.
 */
export type Speaker = 'owner' | 'stranger';

/** A metaprompt of a batch, with the speaker where it matters. */
export interface SpokenItem extends BatchItem {
  readonly speaker?: Speaker | undefined;
}

/** `undefined` outside a directory's lane, where every user is at home. */
export function speakerOf(turn: Pick<Turn, 'lane' | 'input'>): Speaker | undefined {
  if (!turn.lane.startsWith('dir:')) return undefined;
  return isStrangersTurn(turn) ? 'stranger' : 'owner';
}

/** The speaker that was recorded with a batch: the turn is long over when it runs. */
export function speakerIn({ items }: Pick<Batch, 'items'>): Speaker | undefined {
  return (items as readonly SpokenItem[]).find(({ speaker }) => speaker !== undefined)?.speaker;
}

/** The talk without what strangers said, and without the answers to it, which repeat it. */
export function withoutStrangers(history: readonly Stored[]): readonly Stored[] {
  let stranger = false;
  return history.filter(({ role, origin, sender }) => {
    // What the machine puts in for a moment, such as a reminder, does not change who is being answered.
    if (role === 'user' && origin !== 'synthetic') stranger = origin === 'user' && sender !== undefined && !sender.owner;
    return !stranger;
  });
}
