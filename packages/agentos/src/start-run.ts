import type { TurnEvent, TurnResult } from '@x/runtime';
import { ConfigurationError } from './errors.js';

/** A turn that is about to run: `await` it for its result, or loop over it for its events. */
export interface Run extends AsyncIterable<TurnEvent>, PromiseLike<TurnResult> {}

/** Makes a run that starts when it is first awaited or looped over, and runs once. */
export function startRun(events: () => AsyncGenerator<TurnEvent, void>): Run {
  let used = false;
  let result: Promise<TurnResult> | undefined;
  const begin = (): AsyncGenerator<TurnEvent, void> => {
    if (used) throw new ConfigurationError('This turn has run. Await it or loop over it, not both.');
    used = true;
    return events();
  };
  return {
    [Symbol.asyncIterator]: begin,
    // biome-ignore lint/suspicious/noThenProperty: it is a promise and a stream at once, by design
    then(onDone, onFail) {
      result ??= lastResult(begin());
      return result.then(onDone, onFail);
    },
  };
}

async function lastResult(events: AsyncGenerator<TurnEvent, void>): Promise<TurnResult> {
  let result: TurnResult | undefined;
  // Read to its end: who leaves a stream early aborts what it runs.
  for await (const event of events) if (event.type === 'turn-end') result = event.result;
  if (result) return result;
  throw new ConfigurationError('The turn ended without a result.');
}
