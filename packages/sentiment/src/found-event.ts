import type { GMIEvent, GMIEventType } from '@x/core';

/** An event that a turn meets the condition of, before edges and cooldowns are looked at. */
export interface FoundEvent extends Pick<GMIEvent, 'severity' | 'metadata'> {
  readonly eventType: GMIEventType;
}
