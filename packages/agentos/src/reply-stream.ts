import type { TurnEvent, TurnResult } from '@x/runtime';
import { ReplyAbandonedError } from './errors.js';

/** A reply as it is written. The turn runs once, when its words or its result are first asked for. */
export interface ReplyStream {
  /** The words, as they come; leaving them early stops the turn, unless its result is awaited by then. */
  readonly textStream: AsyncIterable<string>;
  /** The whole result; awaiting it alone runs the turn to its end. @throws `reply_abandoned` when `textStream` was left early. */
  readonly result: Promise<TurnResult>;
}

/** A promise that tells when it is asked. What it is asked gives plain promises. */
class AskedPromise<T> extends Promise<T> {
  static override readonly [Symbol.species] = Promise;
  onAsk: (() => void) | undefined;

  // biome-ignore lint/suspicious/noThenProperty: a promise that starts its work when it is first awaited
  override then: Promise<T>['then'] = (onDone, onFail) => {
    this.onAsk?.();
    return super.then(onDone, onFail);
  };
}

/** Turns a run into its words and its result. */
export function replyStream(start: () => AsyncIterable<TurnEvent>): ReplyStream {
  let settle: { done(result: TurnResult): void; fail(error: unknown): void } | undefined;
  const result = new AskedPromise<TurnResult>((done, fail) => {
    settle = { done, fail };
  });
  // A reader of textStream alone sees the failure there; this one must not end the process.
  result.catch(() => undefined);

  /** Kept for who comes late; read by one step at a time, so that words nobody has asked for are not written. */
  const kept: string[] = [];
  async function* run(): AsyncGenerator<undefined, void> {
    try {
      for await (const event of start()) {
        if (event.type === 'text-delta') {
          kept.push(event.text);
          yield;
        } else if (event.type === 'turn-end') settle?.done(event.result);
      }
    } catch (error) {
      settle?.fail(error);
      throw error;
    } finally {
      settle?.fail(new ReplyAbandonedError()); // says nothing where there is a result or a failure
    }
  }
  const turn = run();
  let step: Promise<IteratorResult<undefined, void>> | undefined;
  const next = (): Promise<IteratorResult<undefined, void>> => {
    step ??= turn.next().finally(() => {
      step = undefined;
    });
    return step;
  };

  async function* words(): AsyncGenerator<string, void> {
    try {
      for (let at = 0; ; at += 1) {
        if (at === kept.length && (await next()).done) return void (await result);
        yield kept[at] as string;
      }
    } finally {
      if (result.onAsk) await turn.return();
    }
  }

  result.onAsk = () => {
    result.onAsk = undefined;
    void (async () => {
      while (!(await next()).done);
    })().catch(() => undefined);
  };
  return { textStream: words(), result };
}
