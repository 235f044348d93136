/** The name under which trait changes that are no decision of anybody stand in the log: the seed of a lane, decay, undo. */
export const HEXACO_HOOK = 'hexaco';
/** The `why` of the operation that gives a new lane the persona's own score. */
export const SEED_WHY = 'the score of the persona';
/** The `why` of the operation by which a change fades. */
export const DECAY_WHY = 'decay toward the score of the persona';

// Every reason opens with this, so that none can pass for a step of decay or an undo.
const REASON = 'reason: ';
const UNDO = /^undo (?:of )?(\S+)/;
const EVIDENCE = / \[turns: ([^\]]*)\]$/;
const REASON_CHARS = 500;
const EVIDENCE_TURNS = 12;

/** The `why` of an undo; {@link undoneBy} reads it back. */
export const undoWhy = (operationId: string): string => `undo ${operationId}`;

/** The id of the operation that this one takes back, if it does. */
export function undoneBy(why: string): string | undefined {
  return UNDO.exec(why)?.[1];
}

/** True for an entry that is no decision of anybody, whoever's call it was made in. */
export function isUpkeep(why: string): boolean {
  return why === SEED_WHY || why === DECAY_WHY;
}

/** The `why` of a change: the reason, cut to 500 characters, and the turns it rests on, at most twelve of them. */
export function writeCause(reason: string, turns: readonly string[]): string {
  const plain = reason.trim().replace(/\s+/g, ' ').slice(0, REASON_CHARS);
  const named = turns.slice(-EVIDENCE_TURNS).map((turn) => turn.replace(/[\],]/g, '_'));
  return `${REASON}${plain}${named.length === 0 ? '' : ` [turns: ${named.join(', ')}]`}`;
}

/** What {@link writeCause} wrote; the turn of the operation itself is the evidence when none was written. */
export function readCause(why: string, turn: string): { readonly reasoning: string; readonly evidence: readonly string[] } {
  const said = why.startsWith(REASON) ? why.slice(REASON.length) : why;
  const found = EVIDENCE.exec(said);
  if (!found) return { reasoning: said, evidence: [turn] };
  return { reasoning: said.slice(0, found.index), evidence: (found[1] ?? '').split(', ').filter((name) => name !== '') };
}
