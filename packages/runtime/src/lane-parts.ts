import type { Clock, LaneStore, Random } from '@x/core';
import type { Background } from './background.js';
import type { LaneQueue } from './lane-queue.js';
import type { LaneState } from './lane-state.js';

/** What a lane lends to its sessions. */
export interface LaneParts {
  readonly laneKey: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly store: LaneStore;
  readonly queue: LaneQueue;
  readonly laneState: LaneState;
  readonly background: Background;
}
