/** Runs work on a path when all work on that path that came before has ended, however it ended. */
export type PathQueue = <T>(path: string, work: () => Promise<T>, signal?: AbortSignal | undefined) => Promise<T>;

/** Makes a queue for each path; work on other paths does not wait. What is done is forgotten. */
export function createPathQueue(): PathQueue {
  const ends = new Map<string, Promise<void>>();
  return async (path, work, signal) => {
    const before = ends.get(path);
    let free = (): void => {};
    const end = new Promise<void>((resolve) => {
      free = resolve;
    });
    ends.set(path, end);
    try {
      await before;
      signal?.throwIfAborted(); // whoever asked was told that it did not happen
      return await work();
    } finally {
      if (ends.get(path) === end) ends.delete(path);
      free();
    }
  };
}
