import type { Json } from './json.js';

/** Something noticed in a turn. Pending events belong to the lane until a metaprompt takes them or they expire. */
export interface GMIEvent {
  /** A `GMIEventType`, or a name of the host's own. */
  readonly eventType: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly turnId: string;
  readonly severity: 'low' | 'medium' | 'high';
  readonly metadata: { readonly [key: string]: Json };
}
