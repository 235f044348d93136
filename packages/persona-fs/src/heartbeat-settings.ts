import type { Clock, HeartbeatConfig, ITool, PendingRequest, Random } from '@x/core';
import { type BeatSlots, HeartbeatConfigError } from './beat-slots.js';
import type { BeatReport, PendingBeat, RunBeat } from './beat-types.js';
import type { SchedulePort } from './schedule.js';

export interface HeartbeatOptions extends HeartbeatConfig {
  readonly runBeat: RunBeat;
  /** The persona's directory: its `HEARTBEAT.md` is read before each beat, and its soul composed anew. */
  readonly dir?: string | undefined;
  /** The checklist, where there is no directory; `undefined` or empty: no beat needs a model. */
  readonly checklist?: (() => string | undefined) | undefined;
  /** Names the row of the schedule; default `dir:<real path>`, else `heartbeat`. One agent, one key. */
  readonly key?: string | undefined;
  /** Default: files below the directory's `.persona`, shared by all who run it; without a directory in memory. */
  readonly schedule?: SchedulePort | undefined;
  /** Slots made by {@link beatSlots}, to share among agents of the same settings; default: made here. */
  readonly slots?: BeatSlots | undefined;
  /** What a beat may use beside `heartbeat_ok`: the memory tool, and what its owner grants by name. Default none. */
  readonly tools?: readonly ITool[] | undefined;
  /** Resolves when no user is being served or waits; a beat lets them go first. */
  readonly whenIdle?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** What the user should hear. Never gets the quiet token, an empty text or a question that waits. */
  readonly onBeat?: ((text: string, beat: { readonly dueAtMs: number; readonly atMs: number }) => void | Promise<void>) | undefined;
  /** A beat waits for a human; the host brings the answer to whoever ran the beat of that id. */
  readonly onPending?: ((request: PendingRequest, beat: PendingBeat) => void | Promise<void>) | undefined;
  /** A beat failed, or a callback threw or took too long (then `failures` is 0). `failures` counts beats in a row. */
  readonly onError?: ((error: unknown, about: { readonly failures: number; readonly dueAtMs: number }) => void) | undefined;
  /** Every slot and what became of it. */
  readonly onReport?: ((report: BeatReport) => void) | undefined;
  /** A beat that starts later than this was missed; default 60,000. */
  readonly graceMs?: number | undefined;
  /** With `missed: 'all'`: most beats made up for, the newest; default 24. */
  readonly maxMissed?: number | undefined;
  /** A beat that takes longer is aborted and failed; default 600,000. */
  readonly maxBeatMs?: number | undefined;
  /** `onBeat` and `onPending` are waited for no longer; default 30,000. */
  readonly maxTellMs?: number | undefined;
  /**
   * An alarm in the same words, times apart, is not told again within this span unless a quiet beat lay between;
   * default 43,200,000 (12 hours), 0: each is told.
   */
  readonly repeatAfterMs?: number | undefined;
  /** Longest pause after failures in a row; each doubles it, from the interval or one minute. Default 3,600,000. */
  readonly maxBackoffMs?: number | undefined;
  /** The wall clock is looked at this often, so that a machine that slept notices; default 60,000. */
  readonly checkEveryMs?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

/** The options that are numbers or names, with defaults, checked. */
export interface HeartbeatSettings {
  readonly missed: 'skip' | 'once' | 'all';
  readonly jitterMs: number;
  readonly graceMs: number;
  readonly maxMissed: number;
  readonly maxBeatMs: number;
  readonly maxTellMs: number;
  readonly repeatAfterMs: number;
  readonly checkEveryMs: number;
  /** Milliseconds to rest after so many failures in a row. */
  pauseMs(failures: number): number;
}

// The limit of a JavaScript timer, for clocks that pass waits on as they are.
const LONGEST_WAIT_MS = 2_147_483_647;

/** @throws {@link HeartbeatConfigError} */
export function heartbeatSettings(options: HeartbeatOptions): HeartbeatSettings {
  const { missed = 'once', everyMs: firstMs = 60_000 } = options;
  if (!['skip', 'once', 'all'].includes(missed)) throw new HeartbeatConfigError({ field: 'missed', problem: 'must be skip, once or all' });
  const maxBackoffMs = atLeast(0, 'maxBackoffMs', options.maxBackoffMs ?? 3_600_000);
  return {
    missed,
    jitterMs: atLeast(0, 'jitterMs', options.jitterMs ?? 0),
    graceMs: atLeast(0, 'graceMs', options.graceMs ?? 60_000),
    maxMissed: atLeast(1, 'maxMissed', options.maxMissed ?? 24),
    maxBeatMs: atLeast(1, 'maxBeatMs', options.maxBeatMs ?? 600_000),
    maxTellMs: atLeast(1, 'maxTellMs', options.maxTellMs ?? 30_000),
    repeatAfterMs: atLeast(0, 'repeatAfterMs', options.repeatAfterMs ?? 43_200_000),
    checkEveryMs: Math.min(atLeast(1, 'checkEveryMs', options.checkEveryMs ?? 60_000), LONGEST_WAIT_MS),
    pauseMs: (failures) => (failures === 0 ? 0 : Math.min(firstMs * 2 ** Math.min(failures - 1, 30), Math.max(maxBackoffMs, firstMs))),
  };
}

function atLeast(least: number, field: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= least) return value;
  throw new HeartbeatConfigError({ field, problem: `must be a finite number from ${least}` });
}
