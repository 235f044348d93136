import { type Clock, type ITool, isAgentosError, withDeadline } from '@x/core';
import { BeatTimeoutError } from './beat-errors.js';
import { beatPrompt } from './beat-prompt.js';
import type { BeatSlots } from './beat-slots.js';
import { type BeatOutcome, beatId } from './beat-types.js';
import { MAX_FILE_BYTES } from './bootstrap.js';
import { itemKey, readChecklist } from './checklist.js';
import { classifyReply } from './classify-reply.js';
import { composeSoul } from './compose-soul.js';
import { createDoneTool } from './done-tool.js';
import { endOfBeat } from './end-of-beat.js';
import { guardTool } from './guard-tool.js';
import type { HeartbeatOptions } from './heartbeat-settings.js';
import { realDir } from './open-dir.js';
import { createQuietTool } from './quiet-tool.js';
import { readPersonaFile } from './read-persona-file.js';

/** What a beat came to. */
export type BeatResult =
  /** The checklist asks for nothing: no model was needed. */
  | { readonly kind: 'empty' | 'quiet' }
  | { readonly kind: 'alarm'; readonly text: string }
  | { readonly kind: 'pending'; readonly outcome: BeatOutcome & { readonly status: 'pending' }; readonly decidedQuiet: boolean }
  | { readonly kind: 'failed'; readonly error: unknown };

export type OneBeatOptions = HeartbeatOptions & {
  readonly slots: BeatSlots;
  readonly clock: Clock;
  readonly key: string;
  readonly stopping: AbortSignal;
};

export interface OneBeat {
  readonly dueAtMs: number;
  /** When the claim ends, and with it the beat. */
  readonly untilMs: number;
  /** Keys of the tasks that are done for good. */
  readonly done: readonly string[];
  /** Writes down that a task is done. */
  mark(key: string): Promise<boolean>;
}

export interface JudgedBeat {
  readonly result: BeatResult;
  /** Of the done tasks, those that still stand in the checklist. */
  readonly stillDone: readonly string[];
}

/** Runs a single beat, and judges what it says. Delivers nothing, and never rejects. */
export async function runOneBeat(options: OneBeatOptions, beat: OneBeat): Promise<JudgedBeat> {
  const { clock, dir, stopping, timeZone = 'UTC' } = options;
  const { dueAtMs, done } = beat;
  let stillDone = done;
  let isOver = false;
  const maxBeatMs = Math.max(1, beat.untilMs - clock.now());
  let ownSignal: AbortSignal | undefined;
  try {
    const root = dir === undefined ? undefined : realDir(dir);
    const text = dir === undefined ? options.checklist?.() : root && readPersonaFile(root, 'HEARTBEAT.md', MAX_FILE_BYTES).text;
    const checklist = readChecklist(text, new Set(done));
    // A list that is absent or empty may be so for a moment, while an editor saves it.
    if (checklist.open.length + checklist.done.length > 0) {
      const present = new Set(checklist.done.map(itemKey));
      stillDone = done.filter((key) => present.has(key));
    }
    if (checklist.open.length === 0) return { result: { kind: 'empty' }, stillDone };
    const quiet = createQuietTool();
    const mark = async (key: string): Promise<boolean> => !isOver && (await beat.mark(key));
    const atMs = clock.now();
    const prompt = beatPrompt(
      { atMs, dueAtMs, timeZone, done: checklist.done, canTick: checklist.items.length > 0 },
      options.slots.localTime,
    );
    const outcome = await withDeadline(
      (signal) => {
        ownSignal = signal;
        return options.runBeat({
          id: beatId(options.key, dueAtMs),
          prompt,
          atMs,
          dueAtMs,
          tools: [
            quiet.tool as ITool,
            ...(checklist.items.length > 0 ? [createDoneTool({ items: checklist.items, mark }) as ITool] : []),
            ...(options.tools ?? []).map(guardTool),
          ],
          soul: root === undefined ? undefined : composeSoul(root),
          signal,
        });
      },
      { clock, timeoutMs: maxBeatMs, signal: stopping },
    );
    return { result: judge(endOfBeat(outcome), quiet.called()), stillDone };
  } catch (error) {
    const isLate = ownSignal?.reason === error && isAgentosError(error) && error.code === 'deadline_passed';
    return { result: { kind: 'failed', error: isLate ? new BeatTimeoutError(maxBeatMs) : error }, stillDone };
  } finally {
    isOver = true;
  }
}

function judge(outcome: BeatOutcome, decidedQuiet: boolean): BeatResult {
  if (outcome.status === 'failed') return { kind: 'failed', error: outcome.error };
  if (outcome.status === 'pending') return { kind: 'pending', outcome, decidedQuiet };
  const { silent, text } = classifyReply(outcome.text, { decidedQuiet });
  return silent ? { kind: 'quiet' } : { kind: 'alarm', text };
}
