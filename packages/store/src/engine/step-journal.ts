import type { Json } from '@x/core';
import { idText } from '../id-text.js';
import { StepChangedError } from './engine-errors.js';
import type { Step, StepOutcome } from './turn-engine.js';

/** What is known of a step. */
export interface StepRecord {
  /** The lease under which it was begun last. */
  readonly token: number;
  readonly state: 'begun' | 'done' | 'unknown';
  readonly request: string | undefined;
  /** JSON, when done. */
  readonly result: string | undefined;
}

/** Where the steps of one turn are written. Each call happens under the lease or fails with `fence_stale`. */
export interface StepTable {
  /** Writes a first record, or returns the one that is there. */
  begin(step: Step, request: string | undefined): Promise<StepRecord | undefined>;
  /** Changes a record that stands under `from`; false when somebody else did. */
  change(step: Step, from: number, to: Omit<StepRecord, 'request'>): Promise<boolean>;
  remove(step: Step): Promise<void>;
}

/** The logic of `journalStep`, over a table that keeps the records. */
export async function journalStep(
  table: StepTable,
  { lane, turn, token, step }: { readonly lane: string; readonly turn: string; readonly token: number; readonly step: Step },
  run: (call: { readonly key: string }) => Promise<Json>,
  stale: () => Error,
): Promise<StepOutcome> {
  const request = step.request === undefined ? undefined : JSON.stringify(step.request);
  const before = await table.begin(step, request);
  if (before) {
    if (before.request !== undefined && request !== undefined && before.request !== request)
      throw new StepChangedError({ step: step.id, lane });
    if (before.state === 'done') return { outcome: 'done', result: JSON.parse(before.result ?? 'null') as Json, replayed: true };
    if (before.state === 'unknown') return { outcome: 'unknown' };
    const next = { token, state: step.repeat === 'once' ? 'unknown' : 'begun', result: undefined } as const;
    if (!(await table.change(step, before.token, next))) throw stale();
    if (next.state === 'unknown') return { outcome: 'unknown' };
  }
  let result: Json;
  try {
    result = await run({ key: [lane, turn, step.id].map((part) => encodeURIComponent(idText(part))).join('/') });
  } catch (error) {
    // What failed may be done again, except where nobody knows what happened before it failed.
    if (step.repeat === 'once') await table.change(step, token, { token, state: 'unknown', result: undefined });
    else await table.remove(step);
    throw error;
  }
  if (!(await table.change(step, token, { token, state: 'done', result: JSON.stringify(result) }))) throw stale();
  return { outcome: 'done', result, replayed: false };
}
