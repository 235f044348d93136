import type { Sender, Turn } from '@x/core';

/**
 * The person who is no owner and whose words a turn rests on: whoever began it, else whoever wrote another of its
 * messages. What a stranger wrote must not become memory of the owner's rank, whoever asked.
 */
export function strangerOf(turn: Pick<Turn, 'input' | 'layout'> | undefined, named?: Sender | undefined): Sender | undefined {
  const senders = [named, turn?.input.sender, ...(turn?.layout.current ?? []).map((message) => message.sender)];
  return senders.find((sender) => sender?.owner === false);
}
