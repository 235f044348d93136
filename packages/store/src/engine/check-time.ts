import { InvalidArgumentError } from '@x/core';

/** @throws `invalid_argument` for what is no time: a timer would take it for now. */
export function checkAtMs(atMs: number): void {
  if (!Number.isFinite(atMs)) throw new InvalidArgumentError('atMs must be a finite number of milliseconds since 1970.');
}
