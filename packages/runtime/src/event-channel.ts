/** A pipe from one writer to one reader. The writer never waits for the reader. */
export interface EventChannel<T> {
  push(event: T): void;
  end(): void;
  fail(error: unknown): void;
  read(): AsyncGenerator<T, void>;
}

export function createEventChannel<T>(): EventChannel<T> {
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
