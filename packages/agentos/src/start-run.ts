import type { TurnEvent, TurnResult } from '@x/runtime';
import { ConfigurationError } from './errors.js';

/** A turn that is about to run: `await` it for its result, or loop over it for its events. */
export interface Run extends AsyncIterable<TurnEvent>, PromiseLike<TurnResult> {}

export interface RunWork {
  events(): AsyncGenerator<TurnEvent, void>;
  result(): Promise<TurnResult>;
}

/** Makes a run that starts when it is first awaited or looped over, and runs once. Whoever awaits it pays for no stream. */
export function startRun(work: RunWork): Run {
  let used = false;
  let result: Promise<TurnResult> | undefined;
  const use = (): RunWork => {
    if (used) throw new ConfigurationError('This turn has run. Await it or loop over it, not both.');
    used = true;
    return work;
  };
  return {
    [Symbol.asyncIterator]: () => use().events(),
    // biome-ignore lint/suspicious/noThenProperty: it is a promise and a stream at once, by design
    then(onDone, onFail) {
      result ??= use().result();
      return result.then(onDone, onFail);
    },
  };
}
