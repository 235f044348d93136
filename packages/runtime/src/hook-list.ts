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

export interface CallOptions {
  /** A hook that waits is left behind when this is aborted. */
  readonly signal: AbortSignal;
  onFault(message: string, error: unknown): void;
}

/**
 * Calls one point of one hook.
 *
 * @throws {@link HookFailedError} a host's hook threw; `signal.reason` when the turn was aborted meanwhile.
 */
export async function callHook<T>(
  entry: HookEntry,
  point: string,
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook may be a function that returns nothing
  run: () => T | undefined | void | Promise<T | undefined | void>,
  { signal, onFault }: CallOptions,
): Promise<T | undefined> {
  try {
    const said = run();
    return ((isPromiseLike(said) ? await raceAbort(said, signal) : said) as T | undefined) ?? undefined;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (entry.host) throw new HookFailedError({ hook: entry.name, point, cause: error });
    onFault(`${point} of ${entry.name} threw and was left out`, error);
    return undefined;
  }
}

/** What a fault says in a trace: the error's code or name, and its message. */
export function faultText(error: unknown): string {
  if (error instanceof Error) return `${'code' in error && typeof error.code === 'string' ? error.code : error.name}: ${error.message}`;
  return String(error);
}
