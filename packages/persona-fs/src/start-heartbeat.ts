import { resolve } from 'node:path';
import { isPromiseLike, systemClock } from '@x/core';
import { BeatInterruptedError } from './beat-errors.js';
import { beatSlots, HeartbeatConfigError } from './beat-slots.js';
import { createBeatTeller } from './beat-teller.js';
import { TOLERATED_MS, withoutFuture } from './clock-set-back.js';
import { createFileSchedule } from './file-schedule.js';
import { type HeartbeatOptions, heartbeatSettings } from './heartbeat-settings.js';
import { missedSlots } from './missed-slots.js';
import { realDir } from './open-dir.js';
import { createMemorySchedule, type ScheduleRow } from './schedule.js';
import { createScheduleKeeper } from './schedule-keeper.js';
import { createSlotRunner } from './slot-runner.js';

export interface Heartbeat {
  /** What was heard, newest last; the last hundred. */
  readonly beats: readonly string[];
  /** What `onBeat` did not take, newest last; the last hundred. */
  readonly undelivered: readonly string[];
  /** What went wrong, newest last; the last hundred. */
  readonly errors: readonly unknown[];
  /** When the next beat is due, without jitter; `undefined` when stopped or never. */
  readonly nextDueMs: number | undefined;
  /** Settles when the schedule was read and the first timer is set. Never rejects. */
  readonly ready: Promise<void>;
  /** Clears the timer, aborts a running beat, whose result is dropped, and gives its claim back. May be called again. */
  stop(): Promise<void>;
}

const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Lets a persona act by itself: waits for each slot, decides whether a beat is worth a model call, runs it through
 * `runBeat`, and tells only what should be heard. All who run one directory share its schedule. The next slot is written down before a beat runs, so a crash never
 * runs one twice; slots that pass while a beat runs are not made up for. Runs no beat at once.
 *
 * @throws {@link HeartbeatConfigError} the settings cannot be followed.
 */
export function startHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { clock = systemClock, random = Math.random, dir } = options;
  const { schedule = dir === undefined ? createMemorySchedule() : createFileSchedule(dir) } = options;
  const { key = dir === undefined ? 'heartbeat' : `dir:${realDir(dir) ?? resolve(dir)}` } = options;
  const settings = heartbeatSettings(options);
  const { missed, jitterMs, graceMs, maxMissed, checkEveryMs } = settings;
  const slots = options.slots ?? beatSlots(options);
  const startedAtMs = clock.now();
  const firstDueMs = slots.next(startedAtMs, startedAtMs);
  if (firstDueMs === undefined) throw new HeartbeatConfigError({ field: 'cron', problem: 'is never due' });

  const stopping = new AbortController();
  const keeper = createScheduleKeeper(key, schedule);
  const teller = createBeatTeller({ ...options, clock, key, maxTellMs: settings.maxTellMs, stopping: stopping.signal });
  let cancelTimer: () => void = () => undefined;
  /** The slot that is waited for. */
  let dueMs = firstDueMs;
  /** A time before which nothing is tried, whatever is due. */
  let notBeforeMs = 0;

  const slotAfter = (afterMs: number): number => slots.next(afterMs, keeper.row.anchorMs) ?? NEVER;
  const trustedRow = (): ScheduleRow => withoutFuture(keeper.row, clock.now(), () => slotAfter(clock.now() - 1));
  const nextAfter = (afterMs: number): number => slotAfter(Math.max(afterMs, trustedRow().lastDueMs ?? 0));

  /** The slot to wait for. A row that was written with other settings counts only where its slot has passed. */
  const nextDueMs = (): number => {
    const { nextDueMs: stored, failures } = keeper.row;
    const nowMs = clock.now();
    if (stored <= nowMs) return stored;
    // After failures too the pause ends, when the clock by which it was reckoned was wrong.
    return failures === 0 ? nextAfter(nowMs) : Math.min(stored, nextAfter(nowMs + settings.pauseMs(failures) - 1));
  };

  const waitUntil = (fireAtMs: number): void => {
    if (stopping.signal.aborted) return;
    const lookedAtMs = clock.now();
    const waitMs = Math.max(0, Math.min(fireAtMs - lookedAtMs, checkEveryMs));
    cancelTimer = clock.setTimeout(() => {
      const nowMs = clock.now();
      if (nowMs >= fireAtMs) return void due();
      if (nowMs >= lookedAtMs - TOLERATED_MS) return waitUntil(fireAtMs);
      // The clock was set back by far: what is waited for was reckoned by a wrong one.
      notBeforeMs = 0;
      arm();
    }, waitMs);
  };
  const arm = (): void => {
    dueMs = nextDueMs();
    waitUntil(Math.max(dueMs + (jitterMs > 0 ? Math.floor(random() * jitterMs) : 0), notBeforeMs));
  };

  const due = async (): Promise<void> => {
    notBeforeMs = 0;
    try {
      await handleDue();
    } catch (error) {
      if (stopping.signal.aborted) return;
      teller.fail(error, dueMs, 0);
      notBeforeMs = clock.now() + checkEveryMs;
    }
    arm();
  };

  const handleDue = async (): Promise<void> => {
    const lateMs = clock.now() - dueMs - jitterMs;
    await options.whenIdle?.(stopping.signal);
    if (stopping.signal.aborted || (await keeper.refresh())) return;
    const { running } = trustedRow();
    if (running !== undefined && running.untilMs > clock.now()) {
      // It still runs elsewhere, or whoever ran it is gone and the claim is not over yet.
      notBeforeMs = running.untilMs;
      return;
    }
    if (running !== undefined) teller.fail(new BeatInterruptedError(), running.dueAtMs, 0);
    if (lateMs <= graceMs || missed === 'once') await runSlot(dueMs, nextAfter(clock.now()));
    else if (missed === 'all') await runMissed();
    else if (await keeper.write({ lastDueMs: dueMs, nextDueMs: nextAfter(clock.now()) })) teller.report(dueMs, 'dropped', 1);
  };

  const runMissed = async (): Promise<void> => {
    const nowMs = clock.now();
    const next = (afterMs: number): number | undefined => slots.next(afterMs, keeper.row.anchorMs);
    const { slots: passed, dropped } = missedSlots(next, dueMs, { nowMs, most: maxMissed });
    if (dropped > 0) teller.report(dueMs, 'dropped', dropped);
    for (const [index, slot] of passed.entries()) {
      if (!(await runSlot(slot, passed[index + 1] ?? nextAfter(nowMs)))) return;
    }
  };

  const runner = createSlotRunner({
    ...settings,
    beat: { ...options, slots, clock, key, stopping: stopping.signal },
    keeper,
    teller,
    nextAfter,
  });
  /** False when nothing more may run now. */
  const runSlot = async (dueAtMs: number, followingMs: number): Promise<boolean> => {
    const end = await runner.run(dueAtMs, followingMs);
    notBeforeMs = end.notBeforeMs;
    return end.goOn;
  };

  const cannotOpen = (error: unknown): void => {
    teller.fail(error, startedAtMs, 0);
    notBeforeMs = clock.now() + checkEveryMs;
  };
  const open = (): void | Promise<void> => {
    try {
      const opening = keeper.open({ nextDueMs: firstDueMs, anchorMs: startedAtMs, failures: 0, revision: 0 });
      return isPromiseLike(opening) ? opening.catch(cannotOpen).then(arm) : arm();
    } catch (error) {
      cannotOpen(error);
      return arm();
    }
  };

  return {
    beats: teller.beats,
    undelivered: teller.undelivered,
    errors: teller.errors,
    ready: Promise.resolve(open()),
    get nextDueMs() {
      const next = nextDueMs();
      return stopping.signal.aborted || next === NEVER ? undefined : next;
    },
    async stop() {
      stopping.abort(new DOMException('The heartbeat was stopped.', 'AbortError'));
      cancelTimer();
      await runner.giveBack();
    },
  };
}
