import type { TurnEvent, TurnResult } from '@x/runtime';
import { ReplyAbandonedError } from './errors.js';

/** A reply as it is written. The turn runs once, when its words or its result are first asked for. */
export interface ReplyStream {
  /** The words, as they come; leaving them early stops the turn, unless its result is awaited too. */
  readonly textStream: AsyncIterable<string>;
  /** The whole result; awaiting it alone runs the turn to its end. @throws `reply_abandoned` when `textStream` was left early. */
  readonly result: Promise<TurnResult>;
}

/** Turns a run into its words and its result. */
export function replyStream(start: () => AsyncIterable<TurnEvent>): ReplyStream {
  let settle: { done(result: TurnResult): void; fail(error: unknown): void } | undefined;
  const settled = new Promise<TurnResult>((done, fail) => {
    settle = { done, fail };
  });
  // A reader of textStream alone sees the failure there; this one must not end the process.
  settled.catch(() => undefined);

  async function* read(): AsyncGenerator<string, void> {
    try {
      for await (const event of start()) {
        if (event.type === 'text-delta') yield event.text;
        else if (event.type === 'turn-end') settle?.done(event.result);
      }
    } catch (error) {
      settle?.fail(error);
      throw error;
    } finally {
      settle?.fail(new ReplyAbandonedError()); // says nothing where there is a result or a failure
    }
  }

  const source = read();
  let reader: 'nobody' | 'words' | 'result' = 'nobody';
  const kept: string[] = [];
  let more: (() => void)[] = [];
  const wake = (): void => {
    const waiting = more;
    more = [];
    for (const go of waiting) go();
  };

  /** Nobody reads the words, so they are read here, and kept for who comes for them later. */
  const runForResult = async (): Promise<void> => {
    for await (const word of source) {
      kept.push(word);
      wake();
    }
  };
  let over = false;

  async function* words(): AsyncGenerator<string, void> {
    if (reader === 'nobody') {
      reader = 'words';
      yield* source;
      return;
    }
    for (let next = 0; ; ) {
      const word = kept[next];
      if (word !== undefined) {
        next += 1;
        yield word;
      } else if (over) return void (await settled);
      else await new Promise<void>((go) => void more.push(go));
    }
  }

  const result: Promise<TurnResult> = {
    // biome-ignore lint/suspicious/noThenProperty: a promise that starts its work when it is first awaited
    then(onDone, onFail) {
      if (reader === 'nobody') {
        reader = 'result';
        const end = (): void => {
          over = true;
          wake();
        };
        void runForResult().then(end, end);
      }
      return settled.then(onDone, onFail);
    },
    catch: (onFail) => result.then(undefined, onFail),
    finally: (onEnd) => result.then().finally(onEnd),
    [Symbol.toStringTag]: 'Promise',
  };
  return { textStream: words(), result };
}
