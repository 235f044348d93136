import { isPromiseLike } from '@x/core';

/**
 * Hands something to a listener of the host. It is not waited for; what it throws, and what a promise of it rejects with,
 * goes to `onFault` and no further, so that a listener can neither break a turn nor end the process.
 */
export function callSink<T>(sink: ((value: T) => unknown) | undefined, value: T, onFault: (error: unknown) => void): void {
  try {
    const said = sink?.(value);
    if (isPromiseLike(said)) Promise.resolve(said).catch(onFault);
  } catch (error) {
    onFault(error);
  }
}
