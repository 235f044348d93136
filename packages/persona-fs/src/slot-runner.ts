import { planTelling } from './alarm-key.js';
import type { BeatTeller } from './beat-teller.js';
import { type BeatResult, type OneBeatOptions, runOneBeat } from './run-one-beat.js';
import type { ScheduleRow } from './schedule.js';
import type { ScheduleKeeper } from './schedule-keeper.js';

export interface SlotRunnerOptions {
  readonly beat: OneBeatOptions;
  readonly keeper: ScheduleKeeper;
  readonly teller: BeatTeller;
  readonly missed: 'skip' | 'once' | 'all';
  readonly maxBeatMs: number;
  readonly repeatAfterMs: number;
  /** Milliseconds before what was refused is tried again. */
  readonly checkEveryMs: number;
  pauseMs(failures: number): number;
  /** The first slot after a time. */
  nextAfter(afterMs: number): number;
}

/** What is to be done after a slot. */
export interface SlotEnd {
  /** False when nothing more may run now. */
  readonly goOn: boolean;
  /** A time before which nothing is tried, whatever is due. */
  readonly notBeforeMs: number;
}

/** Runs slots under a claim: takes it, runs the beat, gives it back, and only then tells what the beat has to say. */
export interface SlotRunner {
  run(dueAtMs: number, followingMs: number): Promise<SlotEnd>;
  /** Gives the claim back that a stopped beat holds. Never rejects. */
  giveBack(): Promise<void>;
}

const STOP: SlotEnd = { goOn: false, notBeforeMs: 0 };

export function createSlotRunner(options: SlotRunnerOptions): SlotRunner {
  const { beat, keeper, teller, missed, maxBeatMs, repeatAfterMs, checkEveryMs, nextAfter } = options;
  const { clock, stopping } = beat;
  /** True while the row holds our claim. */
  let holding = false;

  const lost = async (dueAtMs: number): Promise<SlotEnd> => {
    teller.report(dueAtMs, 'taken');
    // Refused though nobody wrote anything: asked again at once, it would be refused again, without end.
    return (await keeper.refresh()) ? STOP : { goOn: false, notBeforeMs: clock.now() + checkEveryMs };
  };

  const giveBack = async (): Promise<void> => {
    if (holding) await keeper.write({}).catch((error: unknown) => teller.fail(error, keeper.row.nextDueMs, 0));
    holding = false;
  };

  const run = async (dueAtMs: number, followingMs: number): Promise<SlotEnd> => {
    const startMs = clock.now();
    const running = { dueAtMs, untilMs: startMs + maxBeatMs };
    if (!(await keeper.write({ lastDueMs: dueAtMs, nextDueMs: followingMs, running }))) return lost(dueAtMs);
    holding = true;
    if (stopping.aborted) {
      await giveBack();
      return STOP;
    }
    const mark = (key: string): Promise<boolean> =>
      keeper.amend(({ done = [] }) => ({ done: [...done.filter((one) => one !== key), key] }));
    const before = keeper.row.done ?? [];
    const { result, stillDone } = await runOneBeat(beat, { dueAtMs, untilMs: running.untilMs, done: before, mark });
    if (stopping.aborted) return STOP;
    const failures = result.kind === 'failed' ? keeper.row.failures + 1 : 0;
    const readyMs = clock.now() + options.pauseMs(failures);
    // What was missed before the beat waits for its turn; a slot that passed meanwhile does not.
    const catchingUp = missed === 'all' && followingMs <= startMs;
    const plan = planResult(result, keeper.row, { nowMs: clock.now(), spanMs: repeatAfterMs });
    const gone = new Set(before.filter((key) => !stillDone.includes(key)));
    const done = keeper.row.done?.filter((key) => !gone.has(key));
    const said = plan.isRepeat ? ({ kind: 'repeated' } as const) : result;
    const nextDueMs = catchingUp ? followingMs : nextAfter(readyMs - 1);
    let kept: boolean;
    try {
      kept = await keeper.write({ failures, done, told: plan.told, nextDueMs });
    } catch (error) {
      // The schedule is out of reach; as long as the claim lasts nobody else can have taken the slot over.
      if (clock.now() < running.untilMs) await tell(said, dueAtMs, failures);
      throw error;
    }
    holding = false;
    // Whoever took the slot over speaks for it.
    if (!kept) return lost(dueAtMs);
    const delivered = await tell(said, dueAtMs, failures);
    if (stopping.aborted) return STOP;
    // Only now: a process that ends before an alarm was heard must not keep the next one from telling it.
    await settle(delivered ? plan.toldOnceHeard : undefined, catchingUp);
    return { goOn: failures === 0, notBeforeMs: catchingUp && failures > 0 ? readyMs : 0 };
  };

  const tell = async (result: BeatResult | { readonly kind: 'repeated' }, dueAtMs: number, failures: number): Promise<boolean> => {
    if (result.kind === 'alarm') return teller.say(result.text, dueAtMs);
    if (result.kind === 'pending') {
      await teller.ask(result.outcome, result.decidedQuiet, dueAtMs);
      return true;
    }
    if (result.kind === 'failed') teller.fail(result.error, dueAtMs, failures);
    teller.report(dueAtMs, result.kind);
    return true;
  };

  /** Remembers what was heard; slots that passed while a callback ran are not made up for. */
  const settle = async (told: ScheduleRow['told'], catchingUp: boolean): Promise<void> => {
    const isLate = !catchingUp && keeper.row.nextDueMs <= clock.now();
    if (told === undefined && !isLate) return;
    const nextDueMs = isLate ? nextAfter(clock.now()) : keeper.row.nextDueMs;
    if (!(await keeper.write({ nextDueMs, ...(told && { told }) }))) await keeper.refresh();
  };

  return { run, giveBack };
}

interface AlarmPlan {
  readonly isRepeat: boolean;
  /** What is remembered of alarms whatever becomes of this one. */
  readonly told: ScheduleRow['told'];
  /** What is remembered when this one was heard. */
  readonly toldOnceHeard?: ScheduleRow['told'];
}

/** A quiet beat ends all alarms: when one comes again after it, it is news. */
function planResult(result: BeatResult, { told }: ScheduleRow, span: { readonly nowMs: number; readonly spanMs: number }): AlarmPlan {
  if (result.kind === 'quiet' || result.kind === 'empty') return { isRepeat: false, told: undefined };
  if (result.kind !== 'alarm') return { isRepeat: false, told };
  const plan = planTelling(told, result.text, span);
  return plan.isRepeat ? { isRepeat: true, told } : { isRepeat: false, told, toldOnceHeard: plan.told };
}
