/** Users come before beats; a beat never interrupts. */
export type Rank = 'user' | 'beat';

interface Waiting {
  readonly start: () => void;
}

/** Runs one piece of work at a time: users before beats, each in the order of arrival. */
export interface LaneQueue {
  /**
   * Waits for the lane, runs the work, gives the lane to the next.
   *
   * @throws What the work throws; `signal.reason` when aborted while waiting.
   */
  run<T>(work: () => Promise<T>, options: { readonly rank: Rank; readonly signal: AbortSignal }): Promise<T>;
  /** True while something runs. */
  readonly busy: boolean;
  /** How many wait. */
  readonly waiting: number;
}

export function createLaneQueue(): LaneQueue {
  const users: Waiting[] = [];
  const beats: Waiting[] = [];
  let busy = false;
  const admit = async (rank: Rank, signal: AbortSignal): Promise<void> => {
    if (!busy) {
      busy = true;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const list = rank === 'user' ? users : beats;
      const leave = (): void => {
        const index = list.indexOf(entry);
        if (index >= 0) list.splice(index, 1);
        reject(signal.reason);
      };
      const entry: Waiting = {
        start() {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      list.push(entry);
    });
  };
  return {
    async run(work, { rank, signal }) {
      signal.throwIfAborted();
      await admit(rank, signal);
      try {
        return await work();
      } finally {
        const next = users.shift() ?? beats.shift();
        if (next) next.start();
        else busy = false;
      }
    },
    get busy() {
      return busy;
    },
    get waiting() {
      return users.length + beats.length;
    },
  };
}
