import { followSignal } from './abort.js';

/** A pipe from one writer to one reader. The writer never waits for the reader. */
interface EventChannel<T> {
  push(event: T): void;
  end(): void;
  fail(error: unknown): void;
  read(): AsyncGenerator<T, void>;
}

function createEventChannel<T>(): EventChannel<T> {
  let buffer: T[] = [];
  let over: { readonly error?: unknown; readonly failed: boolean } | undefined;
  let wake: (() => void) | undefined;
  const notify = (): void => {
    wake?.();
    wake = undefined;
  };
  return {
    push(event) {
      buffer.push(event);
      notify();
    },
    end() {
      over ??= { failed: false };
      notify();
    },
    fail(error) {
      over ??= { failed: true, error };
      notify();
    },
    async *read() {
      for (;;) {
        const batch = buffer;
        buffer = [];
        yield* batch;
        if (buffer.length > 0) continue;
        if (over?.failed) throw over.error;
        if (over) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/**
 * Runs work that hands on events, as a stream of them. It starts with the first `next()`; leaving the loop early aborts
 * it and waits until it has stopped.
 */
export async function* streamEvents<T>(
  work: (emit: (event: T) => void, signal: AbortSignal) => Promise<unknown>,
  signal?: AbortSignal | undefined,
): AsyncGenerator<T, void> {
  const channel = createEventChannel<T>();
  const { controller, release } = followSignal(signal);
  let isRead = false;
  const done = work(channel.push, controller.signal).then(channel.end, channel.fail);
  try {
    yield* channel.read();
    isRead = true;
  } finally {
    if (!isRead) controller.abort(new DOMException('The reader left the stream.', 'AbortError'));
    release();
    await done;
  }
}
