import type { Turn } from './turn.js';

/**
 * True when somebody else than the owner speaks to an agent that lives in a directory, and so has one memory and one
 * character for all. In a lane of its own every user is at home.
 */
export function isStrangersTurn({ lane, input }: Pick<Turn, 'lane' | 'input'>): boolean {
  return lane.startsWith('dir:') && input.sender !== undefined && !input.sender.owner;
}

/** The id under which a turn commits that goes on after an answer; it has committed under its own when it parked. */
export function answerTurnId(turn: string, answerId: string): string {
  return `${turn}:${answerId}`;
}
