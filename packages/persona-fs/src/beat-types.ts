import type { ITool, PendingRequest } from '@x/core';
import type { ComposedSoul } from './compose-soul.js';

/** One beat, as its runner gets it. It is a session of its own: a fresh soul, a short transcript, origin `heartbeat`. */
export interface Beat {
  /** Unique for the schedule: its key and when it was due. */
  readonly id: string;
  readonly prompt: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly dueAtMs: number;
  /** `heartbeat_ok`, `heartbeat_done` where the checklist is a list, and what was granted. Nothing else may be offered to the model. */
  readonly tools: readonly ITool[];
  /** The soul as the files are now; absent when the heartbeat has no directory. */
  readonly soul?: ComposedSoul | undefined;
  /** Aborted by `stop()` and after `maxBeatMs`. */
  readonly signal: AbortSignal;
}

/** The id of the beat of one slot. */
export const beatId = (key: string, dueAtMs: number): string => `${key}@${dueAtMs}`;

/** How a beat ended. */
export type BeatOutcome =
  | { readonly status: 'done'; readonly text: string }
  /** It waits for a human. `resumed` tells how it ended after the answer. */
  | { readonly status: 'pending'; readonly request: PendingRequest; readonly resumed?: Promise<BeatOutcome> | undefined }
  | { readonly status: 'failed'; readonly error: unknown };

/** What a host needs to find a beat again that waits for a human. */
export interface PendingBeat {
  /** The beat's own id, as its runner got it. */
  readonly id: string;
  readonly dueAtMs: number;
  readonly atMs: number;
  /** How it ends after the answer, where its runner tells; the heartbeat passes that end on by itself. */
  readonly resumed?: Promise<BeatOutcome> | undefined;
}

/** Runs a beat. May throw, which counts as `failed`. */
export type RunBeat = (beat: Beat) => Promise<BeatOutcome>;

/** What became of a slot; for logs and an inspector. */
export interface BeatReport {
  readonly dueAtMs: number;
  readonly atMs: number;
  /**
   * `quiet` and `heard` were run; `repeated` said what was told of late; `undelivered` was not taken by `onBeat`; `empty`
   * needed no model, for the checklist asks for nothing; `dropped` was missed and the policy lets it go; `taken` was run,
   * or taken over while it ran here, by another process.
   */
  readonly outcome: 'quiet' | 'heard' | 'repeated' | 'undelivered' | 'pending' | 'failed' | 'empty' | 'dropped' | 'taken';
  /** For `dropped`: how many slots, at least. */
  readonly slots?: number | undefined;
}
