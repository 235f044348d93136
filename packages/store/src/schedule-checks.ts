import { InvalidArgumentError } from '@x/core';
import { checkedJson } from './commit-plan.js';
import type { ScheduleEntry } from './schedule.js';

/** @returns The data as JSON text, `null` for none. @throws `invalid_argument`, `json_value_invalid` */
export function checkEntry({ key, dueAtMs, data }: ScheduleEntry): string | null {
  if (typeof key !== 'string' || key === '') throw new InvalidArgumentError('schedule: key must be a string that is not empty.');
  if (!Number.isFinite(dueAtMs)) throw new InvalidArgumentError(`schedule: dueAtMs must be a finite number, got ${dueAtMs}.`);
  return data === undefined ? null : JSON.stringify(checkedJson(data));
}

/** @throws `invalid_argument` */
export function checkLease(leaseMs: number): void {
  if (!(leaseMs > 0 && Number.isFinite(leaseMs)))
    throw new InvalidArgumentError(`schedule: leaseMs must be a finite number above 0, got ${leaseMs}.`);
}
