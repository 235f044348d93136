import { expect, test, vi } from 'vitest';
import { type Clock, DeadlineError, isPromiseLike, raceAbort, systemClock, withDeadline } from './index.js';

/** What another library's promise looks like: no class of ours, just a `then`. */
const thenable = (value: unknown): PromiseLike<unknown> =>
  Object.fromEntries([['then', (resolve: (value: unknown) => unknown) => resolve(value)]]) as never;

const never = new Promise<never>(() => {});

/** A clock whose timers fire when the test says so. */
function handClock() {
  const timers = new Set<() => void>();
  const clock: Clock = {
    now: () => 0,
    setTimeout(fn) {
      timers.add(fn);
      return () => void timers.delete(fn);
    },
  };
  return { clock, timers, fire: () => [...timers].forEach((fn) => void fn()) };
}

test('what has a then is a promise, of whatever library', () => {
  expect([Promise.resolve(), thenable(1), Object.assign(() => {}, thenable(1))].every(isPromiseLike)).toBe(true);
  expect([undefined, null, 1, 'then', {}, Object.fromEntries([['then', 1]]), () => {}].some(isPromiseLike)).toBe(false);
});

test('a race ends with the work, with its failure, or with the reason of the abort', async () => {
  const { signal } = new AbortController();
  expect(await raceAbort(thenable('done'), signal)).toBe('done');
  await expect(raceAbort(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
  await expect(raceAbort(never, AbortSignal.abort('stop'))).rejects.toBe('stop');
  const later = new AbortController();
  const race = raceAbort(never, later.signal);
  later.abort('late');
  await expect(race).rejects.toBe('late');
});

test('a race that is over leaves no listener behind', async () => {
  const { signal } = new AbortController();
  const removed = vi.spyOn(signal, 'removeEventListener');
  await raceAbort(Promise.resolve(1), signal);
  await Promise.resolve();
  expect(removed).toHaveBeenCalledTimes(1);
});

test('work that is done in time is what comes back, and its timer goes', async () => {
  const { clock, timers } = handClock();
  expect(await withDeadline(async (signal) => signal.aborted, { clock, timeoutMs: 10 })).toBe(false);
  expect(await withDeadline(() => 'at once', { clock, timeoutMs: 10 })).toBe('at once');
  expect(timers.size).toBe(0);
});

test('when the time is over the work is told and no longer waited for', async () => {
  const { clock, fire } = handClock();
  let seen: AbortSignal | undefined;
  const waiting = withDeadline(
    (signal) => {
      seen = signal;
      return never;
    },
    { clock, timeoutMs: 10 },
  );
  fire();
  const error = await waiting.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DeadlineError);
  expect(error).toMatchObject({ code: 'deadline_passed', retryable: true, timeoutMs: 10 });
  expect(seen?.reason).toBe(error);
});

test('an abort of the caller goes through with its own reason', async () => {
  const { clock, timers } = handClock();
  const caller = new AbortController();
  const waiting = withDeadline(() => never, { clock, timeoutMs: 10, signal: caller.signal });
  caller.abort('stop');
  await expect(waiting).rejects.toBe('stop');
  expect(timers.size).toBe(0);
  const run = vi.fn();
  await expect(withDeadline(run, { clock, timeoutMs: 10, signal: caller.signal })).rejects.toBe('stop');
  expect(run).not.toHaveBeenCalled();
});

test('work that throws at once rejects, and its timer goes', async () => {
  const { clock, timers } = handClock();
  const broken = (): never => {
    throw new Error('broken');
  };
  await expect(withDeadline(broken, { clock, timeoutMs: 10 })).rejects.toThrow('broken');
  expect(timers.size).toBe(0);
  expect(await withDeadline(() => 1, { clock: systemClock, timeoutMs: Number.POSITIVE_INFINITY })).toBe(1);
});
