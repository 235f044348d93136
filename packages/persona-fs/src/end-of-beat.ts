import { InvalidArgumentError } from '@x/core';
import { BeatFailedError } from './beat-errors.js';
import type { BeatOutcome } from './beat-types.js';

/** Ends that runtimes know beside ours; the text of such an end is no reply. */
const FAILED: ReadonlySet<string> = new Set(['error', 'interrupted', 'closed', 'timeout']);

/** What the runner of a beat came to, as one of the three ends: hosts pass on what their own runtime gave them. */
export function endOfBeat(outcome: BeatOutcome): BeatOutcome {
  const { status, text } = (typeof outcome === 'object' && outcome !== null ? outcome : {}) as { status?: unknown; text?: unknown };
  if (status === 'failed' || status === 'pending') return outcome;
  if (typeof status === 'string' && FAILED.has(status)) return { status: 'failed', error: new BeatFailedError(status, outcome) };
  if (typeof text === 'string') return outcome;
  return { status: 'failed', error: new InvalidArgumentError('runBeat must come to { status, text }.') };
}
