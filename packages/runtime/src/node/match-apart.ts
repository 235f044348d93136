import { Worker } from 'node:worker_threads';

/** How long one list of texts may take. A pattern that needs longer would go on for hours. The figure is ours. */
const MATCH_MS = 3_000;

// Text, so that it runs the same from both module systems and from every bundle.
const MATCHER = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ source, flags, texts, most }) => {
  const expression = new RegExp(source, flags);
  const found = [];
  for (let index = 0; index < texts.length && found.length < most; index += 1) if (expression.test(texts[index])) found.push(index);
  parentPort.postMessage(found);
});`;

/** Matches texts in a thread of its own, which can be ended: no pattern, however it is written, stops this process. */
export interface Matcher {
  /** The places of the first texts that fit, at most so many; `undefined` when the pattern takes too long. */
  match(
    pattern: { readonly source: string; readonly flags: string },
    texts: readonly string[],
    most: number,
  ): Promise<readonly number[] | undefined>;
}

/** Lends a matcher to some work and ends its thread after it. @throws `signal.reason` when aborted during a match. */
export async function withMatcher<T>(signal: AbortSignal | undefined, work: (matcher: Matcher) => Promise<T>): Promise<T> {
  let worker: Worker | undefined;
  try {
    return await work({
      match(pattern, texts, most) {
        signal?.throwIfAborted();
        worker ??= new Worker(MATCHER, { eval: true, env: {}, execArgv: [] });
        return ask(worker, { source: pattern.source, flags: pattern.flags, texts, most }, signal);
      },
    });
  } finally {
    await worker?.terminate();
  }
}

function ask(worker: Worker, question: object, signal: AbortSignal | undefined): Promise<readonly number[] | undefined> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError);
      signal?.removeEventListener('abort', onAbort);
    };
    const onMessage = (found: readonly number[]): void => {
      end();
      resolve(found);
    };
    const onError = (error: unknown): void => {
      end();
      reject(error);
    };
    const onAbort = (): void => onError(signal?.reason);
    const timer = setTimeout(() => {
      end();
      resolve(undefined);
    }, MATCH_MS);
    worker.on('message', onMessage).on('error', onError);
    signal?.addEventListener('abort', onAbort, { once: true });
    worker.postMessage(question);
  });
}
