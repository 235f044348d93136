import type { Json } from '@x/core';

/** One thing that is due at a time. */
export interface ScheduleEntry {
  /** Unique; the key of a lane's own entries starts with the lane's key. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly dueAtMs: number;
  readonly data?: Json | undefined;
}

/** An entry that one worker has taken. */
export interface ScheduleClaim extends ScheduleEntry {
  /** Grows with each claim of the key; goes with `renew` and `finish`. */
  readonly fence: number;
  /** When another worker may take it. */
  readonly untilMs: number;
}

/**
 * What is due when, kept over restarts and shared by all processes on one database. An entry is claimed before its work
 * is done, so that two processes never do it both, and claimed again when its worker is gone.
 */
export interface Schedule {
  get(key: string): Promise<ScheduleEntry | undefined>;
  /** Sets the one due time of a key; a claim on it is over. @throws `invalid_argument`, `json_value_invalid` */
  set(entry: ScheduleEntry): Promise<void>;
  /** Sets it only where the key has no entry yet. @returns The entry that holds now. */
  setIfAbsent(entry: ScheduleEntry): Promise<ScheduleEntry>;
  /** True when there was one. */
  delete(key: string): Promise<boolean>;
  /** Entries in the order in which they are due, of keys that start with `prefix`. */
  list(options?: { readonly prefix?: string | undefined; readonly limit?: number | undefined }): Promise<readonly ScheduleEntry[]>;
  /**
   * Takes entries that are due and that nobody holds, the longest due first.
   *
   * @param options - `leaseMs`: how long they are ours, above 0; `prefix`: only keys that start so; `limit`: default 100;
   * `nowMs`: default the store's clock.
   */
  claim(options: {
    readonly leaseMs: number;
    readonly prefix?: string | undefined;
    readonly limit?: number | undefined;
    readonly nowMs?: number | undefined;
  }): Promise<readonly ScheduleClaim[]>;
  /** Holds a claim for longer. False when it is over: stop, another has it. */
  renew(claim: Pick<ScheduleClaim, 'key' | 'fence'>, leaseMs: number): Promise<boolean>;
  /** Ends a claim with the next due time, or removes the entry. False when the claim was over and nothing changed. */
  finish(
    claim: Pick<ScheduleClaim, 'key' | 'fence'>,
    next?: { readonly dueAtMs: number; readonly data?: Json | undefined },
  ): Promise<boolean>;
}
