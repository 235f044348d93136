import { type Clock, withDeadline } from '@x/core';
import { type BeatOutcome, type BeatReport, beatId } from './beat-types.js';
import { classifyReply } from './classify-reply.js';
import { endOfBeat } from './end-of-beat.js';
import type { HeartbeatOptions } from './heartbeat-settings.js';

/** Passes on what comes of beats; after `stopping` nothing is passed on any more. Its methods never throw. */
export interface BeatTeller {
  /** What was heard, what could not be delivered, what went wrong; newest last, the last hundred of each. */
  readonly beats: readonly string[];
  readonly undelivered: readonly string[];
  readonly errors: readonly unknown[];
  fail(error: unknown, dueAtMs: number, failures: number): void;
  report(dueAtMs: number, outcome: BeatReport['outcome'], slots?: number): void;
  /** False when it could not be delivered. */
  say(text: string, dueAtMs: number): Promise<boolean>;
  /** Asks a human, and later passes on how the beat ended after the answer. */
  ask(outcome: BeatOutcome & { readonly status: 'pending' }, decidedQuiet: boolean, dueAtMs: number): Promise<void>;
}

export type TellerOptions = Pick<HeartbeatOptions, 'onBeat' | 'onPending' | 'onError' | 'onReport'> & {
  readonly clock: Clock;
  /** Names the schedule. */
  readonly key: string;
  readonly maxTellMs: number;
  readonly stopping: AbortSignal;
};

const KEPT = 100;

export function createBeatTeller({ clock, key, maxTellMs, stopping, ...callbacks }: TellerOptions): BeatTeller {
  const beats: string[] = [];
  const undelivered: string[] = [];
  const errors: unknown[] = [];
  const keep = <T>(list: T[], item: T): void => {
    list.push(item);
    if (list.length > KEPT) list.shift();
  };
  const guarded = (call: () => void): void => {
    try {
      call();
    } catch (error) {
      keep(errors, error);
    }
  };
  const fail: BeatTeller['fail'] = (error, dueAtMs, failures) => {
    keep(errors, error);
    guarded(() => callbacks.onError?.(error, { failures, dueAtMs }));
  };
  const report: BeatTeller['report'] = (dueAtMs, outcome, slots) =>
    guarded(() => callbacks.onReport?.({ dueAtMs, atMs: clock.now(), outcome, slots }));
  /** A callback of the host must not take the heartbeat down, hold it up, or count as a failed beat. */
  const call = async (run: () => void | Promise<void>, dueAtMs: number): Promise<boolean> => {
    try {
      await withDeadline(async () => run(), { clock, timeoutMs: maxTellMs, signal: stopping });
      return true;
    } catch (error) {
      if (!stopping.aborted) fail(error, dueAtMs, 0);
      return false;
    }
  };

  const say: BeatTeller['say'] = async (text, dueAtMs) => {
    if (stopping.aborted) return false;
    const delivered = await call(() => callbacks.onBeat?.(text, { dueAtMs, atMs: clock.now() }), dueAtMs);
    keep(delivered ? beats : undelivered, text);
    report(dueAtMs, delivered ? 'heard' : 'undelivered');
    return delivered;
  };

  const ask: BeatTeller['ask'] = async (outcome, decidedQuiet, dueAtMs) => {
    if (stopping.aborted) return;
    report(dueAtMs, 'pending');
    void outcome.resumed?.then(
      (end) => resume(endOfBeat(end), decidedQuiet, dueAtMs),
      (error: unknown) => resume({ status: 'failed', error }, decidedQuiet, dueAtMs),
    );
    await call(
      () => callbacks.onPending?.(outcome.request, { id: beatId(key, dueAtMs), dueAtMs, atMs: clock.now(), resumed: outcome.resumed }),
      dueAtMs,
    );
  };

  const resume = async (end: BeatOutcome, decidedQuiet: boolean, dueAtMs: number): Promise<void> => {
    if (stopping.aborted) return;
    if (end.status === 'pending') return ask(end, decidedQuiet, dueAtMs);
    if (end.status === 'failed') {
      fail(end.error, dueAtMs, 0);
      return report(dueAtMs, 'failed');
    }
    const { silent, text } = classifyReply(end.text, { decidedQuiet });
    if (silent) report(dueAtMs, 'quiet');
    else await say(text, dueAtMs);
  };

  return { beats, undelivered, errors, fail, report, say, ask };
}
