/** The bytes of an answer as they come: read one after the other, by one reader. */
export interface Arriving {
  /** @returns False when the sender is to pause. */
  push(chunk: Uint8Array): boolean;
  end(): void;
  fail(error: unknown): void;
  /** @throws What `fail` was told. */
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  /** Ends the connection unless all has come. */
  cancel(reason?: unknown): Promise<void>;
}

/** Bytes that wait to be read before the sender is asked to pause. */
const MOST_WAITING = 65_536;

export function arrivingBody({ resume, stop }: { resume(): void; stop(reason: unknown): void }): Arriving {
  const chunks: Uint8Array[] = [];
  let waiting = 0;
  let isPaused = false;
  let over: { readonly error?: unknown; readonly failed: boolean } | undefined;
  let wanted: { resolve(read: Awaited<ReturnType<Arriving['read']>>): void; reject(error: unknown): void } | undefined;
  const settle = (how: NonNullable<typeof over>) => {
    over ??= how;
    if (over.failed) wanted?.reject(over.error);
    else wanted?.resolve({ done: true });
    wanted = undefined;
  };
  return {
    push(chunk) {
      if (over) return true;
      if (wanted) {
        wanted.resolve({ done: false, value: chunk });
        wanted = undefined;
        return true;
      }
      chunks.push(chunk);
      waiting += chunk.length;
      isPaused = waiting >= MOST_WAITING;
      return !isPaused;
    },
    end: () => settle({ failed: false }),
    fail: (error) => settle({ failed: true, error }),
    read() {
      const value = chunks.shift();
      if (value !== undefined) {
        waiting -= value.length;
        if (isPaused && waiting < MOST_WAITING) {
          isPaused = false;
          resume();
        }
        return Promise.resolve({ done: false, value });
      }
      if (over) return over.failed ? Promise.reject(over.error) : Promise.resolve({ done: true });
      return new Promise((resolve, reject) => {
        wanted = { resolve, reject };
      });
    },
    cancel(reason) {
      const isWhole = over !== undefined;
      chunks.length = 0;
      settle({ failed: false });
      if (!isWhole) stop(reason ?? new DOMException('The answer was not read to its end.', 'AbortError'));
      return Promise.resolve();
    },
  };
}
