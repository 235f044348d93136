import { isPromiseLike, raceAbort, type TurnHook } from '@x/core';
import { HookFailedError } from './errors.js';

/** A hook with the name it is logged under and whose it is. */
export interface HookEntry {
  readonly hook: TurnHook;
  readonly name: string;
  /** A host's hook stops the turn when it throws; a feature's leaves a warning and the turn goes on. */
  readonly host: boolean;
}

/** Features first, then the host's slot. */
export function listHooks(features: readonly TurnHook[], host: TurnHook | undefined): readonly HookEntry[] {
  const entries = features.map((hook, index) => ({ hook, name: hook.name ?? `feature-${index + 1}`, host: false }));
  return host ? [...entries, { hook: host, name: host.name ?? 'host', host: true }] : entries;
}

/** The names under which nothing is kept of a turn; a name that two hooks share counts when it is so for both. */
export function borrowersOf(hooks: readonly HookEntry[]): ReadonlySet<string> {
  const keepers = new Set(hooks.filter(({ hook }) => hook.borrows !== true).map(({ name }) => name));
  return new Set(hooks.map(({ name }) => name).filter((name) => !keepers.has(name)));
}

export interface CallOptions {
  /** A hook that waits is left behind when this is aborted. */
  readonly signal: AbortSignal;
  onFault(message: string, error: unknown): void;
}

/**
 * Calls one point of one hook. One that answers at once is not waited for: most do, and waits cost more than they do.
 *
 * @throws {@link HookFailedError} a host's hook threw; `signal.reason` when the turn was aborted meanwhile. Both also as
 * rejections, when the hook waits.
 */
export function callHook<T>(
  entry: HookEntry,
  point: string,
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook may be a function that returns nothing
  run: () => T | undefined | void | Promise<T | undefined | void>,
  options: CallOptions,
): T | undefined | Promise<T | undefined> {
  try {
    const said = run();
    if (isPromiseLike(said)) return waitFor(said as Promise<T | undefined>, entry, point, options);
    return (said as T | undefined) ?? undefined;
  } catch (error) {
    return passOver(error, entry, point, options);
  }
}

async function waitFor<T>(said: Promise<T | undefined>, entry: HookEntry, point: string, options: CallOptions): Promise<T | undefined> {
  try {
    return (await raceAbort(said, options.signal)) ?? undefined;
  } catch (error) {
    return passOver(error, entry, point, options);
  }
}

function passOver(error: unknown, entry: HookEntry, point: string, { signal, onFault }: CallOptions): undefined {
  if (signal.aborted) throw signal.reason;
  if (entry.host) throw new HookFailedError({ hook: entry.name, point, cause: error });
  onFault(`${point} of ${entry.name} threw and was left out`, error);
}

/** What a fault says in a trace: the error's code or name, and its message. */
export function faultText(error: unknown): string {
  if (error instanceof Error) return `${'code' in error && typeof error.code === 'string' ? error.code : error.name}: ${error.message}`;
  return String(error);
}
