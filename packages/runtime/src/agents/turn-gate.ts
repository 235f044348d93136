import type { IChatModel, ModelEvent, ModelRequest } from '@x/core';

/** Lets so many model calls through at a time; the others wait in line. */
export interface TurnGate {
  readonly running: number;
  readonly maxRunning: number;
  /** The same model, through the gate. */
  guard(model: IChatModel): IChatModel;
}

export function createTurnGate(limit: number): TurnGate {
  const waiting: (() => void)[] = [];
  let running = 0;
  let maxRunning = 0;
  const enter = async (signal: AbortSignal): Promise<void> => {
    if (running < limit) running += 1;
    else {
      await new Promise<void>((resolve, reject) => {
        const leave = (): void => {
          waiting.splice(waiting.indexOf(start), 1);
          reject(signal.reason);
        };
        const start = (): void => {
          signal.removeEventListener('abort', leave);
          resolve(); // the place was handed over: `running` stays as it is
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.push(start);
      });
    }
    maxRunning = Math.max(maxRunning, running);
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  const known = new WeakMap<IChatModel, IChatModel>();
  return {
    get running() {
      return running;
    },
    get maxRunning() {
      return maxRunning;
    },
    guard(model) {
      const guarded = known.get(model) ?? {
        modelId: model.modelId,
        providerId: model.providerId,
        capabilities: model.capabilities,
        stream: (request, options) => gated(model, request, options.signal, enter, leave),
      };
      known.set(model, guarded);
      return guarded;
    },
  };
}

/** A holder gives its place back when its stream ends, fails, is left or is aborted, even if the model then hangs. */
function gated(
  model: IChatModel,
  request: ModelRequest,
  signal: AbortSignal,
  enter: (signal: AbortSignal) => Promise<void>,
  leave: () => void,
): AsyncIterable<ModelEvent> {
  return {
    [Symbol.asyncIterator]() {
      let inner: AsyncIterator<ModelEvent> | undefined;
      let held = false;
      const release = (): void => {
        signal.removeEventListener('abort', release);
        if (held) leave();
        held = false;
      };
      return {
        async next() {
          try {
            if (!inner) {
              signal.throwIfAborted();
              await enter(signal);
              held = true;
              signal.addEventListener('abort', release, { once: true });
              inner = model.stream(request, { signal })[Symbol.asyncIterator]();
            }
            const result = await inner.next();
            if (result.done || result.value.type === 'model-end') release();
            return result;
          } catch (error) {
            release();
            throw error;
          }
        },
        async return() {
          release();
          void Promise.resolve(inner?.return?.()).catch(() => {});
          return { done: true, value: undefined };
        },
      };
    },
  };
}
