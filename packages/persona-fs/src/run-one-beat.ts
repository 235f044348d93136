import { AgentosError, type Clock, type ITool } from '@x/core';
import { beatPrompt } from './beat-prompt.js';
import type { BeatSlots } from './beat-slots.js';
import type { BeatOutcome, BeatReport, RunBeat } from './beat-types.js';
import { MAX_FILE_BYTES } from './bootstrap.js';
import { isEmptyChecklist } from './checklist.js';
import { classifyReply } from './classify-reply.js';
import { composeSoul } from './compose-soul.js';
import type { HeartbeatOptions } from './heartbeat-settings.js';
import { realDir } from './open-dir.js';
import { createQuietTool } from './quiet-tool.js';
import { readPersonaFile } from './read-persona-file.js';

/** A beat took longer than `maxBeatMs` and was aborted. */
export class BeatTimeoutError extends AgentosError {
  override readonly name = 'BeatTimeoutError';
  readonly code = 'beat_timeout';
  readonly retryable = true;
  constructor(maxBeatMs: number) {
    super(`A beat did not end within ${maxBeatMs} ms and was aborted. Look for a tool that ignores its signal.`);
  }
}

/** A process ended while it ran a beat. The beat is not run again: what it did already would be done twice. */
export class BeatInterruptedError extends AgentosError {
  override readonly name = 'BeatInterruptedError';
  readonly code = 'beat_interrupted';
  readonly retryable = false;
  constructor() {
    super('A process ended while it ran a beat. Look at what the beat had done; it is not run again.');
  }
}

export interface BeatRunner {
  readonly beats: readonly string[];
  readonly errors: readonly unknown[];
  /** True unless the beat failed; then that is counted as the `failures`-th in a row. Never rejects. */
  run(dueAtMs: number, failures: number): Promise<boolean>;
  fail(error: unknown, dueAtMs: number, failures: number): void;
  report(dueAtMs: number, outcome: BeatReport['outcome'], slots?: number): void;
}

type RunnerOptions = HeartbeatOptions & {
  readonly slots: BeatSlots;
  readonly clock: Clock;
  readonly key: string;
  readonly maxBeatMs: number;
  readonly stopping: AbortSignal;
};

const KEPT = 100;

/** Runs single beats and delivers what comes of them; after `stopping` nothing is delivered any more. */
export function createBeatRunner(options: RunnerOptions): BeatRunner {
  const { clock, key, maxBeatMs, stopping, dir, timeZone = 'UTC' } = options;
  const beats: string[] = [];
  const errors: unknown[] = [];
  const keep = <T>(list: T[], item: T): void => {
    list.push(item);
    if (list.length > KEPT) list.shift();
  };
  const report: BeatRunner['report'] = (dueAtMs, outcome, slots) => options.onReport?.({ dueAtMs, atMs: clock.now(), outcome, slots });
  const fail: BeatRunner['fail'] = (error, dueAtMs, failures) => {
    keep(errors, error);
    try {
      options.onError?.(error, { failures, dueAtMs });
    } catch (second) {
      keep(errors, second);
    }
  };
  /** A callback of the host must not take the heartbeat down, nor count as a failed beat. */
  const tell = async (call: () => void | Promise<void>, dueAtMs: number): Promise<void> => {
    try {
      await call();
    } catch (error) {
      fail(error, dueAtMs, 0);
    }
  };

  const deliver = async (outcome: BeatOutcome, quiet: boolean, dueAtMs: number, failures: number): Promise<boolean> => {
    if (stopping.aborted) return true;
    if (outcome.status === 'failed') {
      fail(outcome.error, dueAtMs, failures);
      report(dueAtMs, 'failed');
      return false;
    }
    if (outcome.status === 'pending') {
      report(dueAtMs, 'pending');
      void outcome.resumed?.then(
        (end) => deliver(end, quiet, dueAtMs, 0),
        (error: unknown) => deliver({ status: 'failed', error }, quiet, dueAtMs, 0),
      );
      await tell(() => options.onPending?.(outcome.request), dueAtMs);
      return true;
    }
    const verdict = quiet ? { silent: true, text: '' } : classifyReply(outcome.text);
    report(dueAtMs, verdict.silent ? 'quiet' : 'heard');
    if (verdict.silent) return true;
    keep(beats, verdict.text);
    await tell(() => options.onBeat?.(verdict.text, { dueAtMs, atMs: clock.now() }), dueAtMs);
    return true;
  };

  return {
    beats,
    errors,
    fail,
    report,
    async run(dueAtMs, failures) {
      try {
        const root = dir === undefined ? undefined : realDir(dir);
        const checklist = dir === undefined ? options.checklist?.() : root && readPersonaFile(root, 'HEARTBEAT.md', MAX_FILE_BYTES).text;
        if (isEmptyChecklist(checklist)) {
          report(dueAtMs, 'empty');
          return true;
        }
        const quiet = createQuietTool();
        const atMs = clock.now();
        const outcome = await withinTime({ clock, maxBeatMs, stopping }, options.runBeat, (signal) => ({
          id: `${key}@${dueAtMs}`,
          prompt: beatPrompt({ atMs, dueAtMs, timeZone }, options.slots.localTime),
          atMs,
          dueAtMs,
          tools: [quiet.tool as ITool, ...(options.tools ?? [])],
          soul: root === undefined ? undefined : composeSoul(root),
          signal,
        }));
        return await deliver(outcome, quiet.called(), dueAtMs, failures);
      } catch (error) {
        return deliver({ status: 'failed', error }, false, dueAtMs, failures);
      }
    },
  };
}

/** Ends with the beat, or with an error when it is late or stopped, whichever comes first; a runner that hangs is left behind. */
async function withinTime(
  { clock, maxBeatMs, stopping }: Pick<RunnerOptions, 'clock' | 'maxBeatMs' | 'stopping'>,
  runBeat: RunBeat,
  beatWith: (signal: AbortSignal) => Parameters<RunBeat>[0],
): Promise<BeatOutcome> {
  const controller = new AbortController();
  let end: (outcome: BeatOutcome) => void = () => undefined;
  const cut = new Promise<BeatOutcome>((resolve) => {
    end = resolve;
  });
  const abort = (error: unknown): void => {
    controller.abort(error);
    end({ status: 'failed', error });
  };
  const stop = (): void => abort(stopping.reason);
  stopping.addEventListener('abort', stop, { once: true });
  const cancelTimer = clock.setTimeout(() => abort(new BeatTimeoutError(maxBeatMs)), maxBeatMs);
  try {
    return await Promise.race([cut, runBeat(beatWith(controller.signal))]);
  } finally {
    cancelTimer();
    stopping.removeEventListener('abort', stop);
  }
}
