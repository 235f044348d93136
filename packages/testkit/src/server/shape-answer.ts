import type { ModelEvent } from '@x/core';
import type { Fault } from './fault.js';

/** Changes an answer's events the way a fault asks for. */
export async function* faultyEvents(events: AsyncIterable<ModelEvent>, fault: Fault | undefined): AsyncGenerator<ModelEvent, void> {
  for await (const event of events) {
    if (event.type === 'tool-call' && fault?.kind === 'duplicate-ids') yield { ...event, call: { ...event.call, id: 'call_same' } };
    else if (event.type === 'tool-call' && fault?.kind === 'cut-arguments') {
      const { name, arguments: json } = event.call.function;
      yield { ...event, call: { ...event.call, function: { name, arguments: json.slice(0, Math.max(1, json.length >> 1)) } } };
    } else if (event.type === 'model-end' && fault?.kind === 'usage') {
      yield { ...event, usage: { inputTokens: fault.inputTokens, outputTokens: fault.outputTokens } };
    } else yield event;
  }
}

/** What becomes of one frame: its bytes, and what happens after them. */
export interface FaultyFrame {
  readonly text: string;
  /** `cut`: the connection breaks. `end`: the answer ends in good order. `hang`: nothing more comes. */
  readonly after?: 'cut' | 'end' | 'hang' | undefined;
}

/** Changes an answer's frames the way a fault asks for. */
export async function* faultyFrames(
  frames: AsyncIterable<string>,
  fault: Fault | undefined,
  errorFrame: (message: string) => string,
): AsyncGenerator<FaultyFrame, void> {
  let number = 0;
  for await (const text of frames) {
    const stop = fault && 'afterFrames' in fault && fault.afterFrames !== undefined ? fault.afterFrames : 1;
    if (fault?.kind === 'cut' && number === stop) {
      yield { text: text.slice(0, text.length >> 1), after: 'cut' };
      return;
    }
    if (fault?.kind === 'early-end' && number === stop) return yield { text: '', after: 'end' };
    if (fault?.kind === 'hang' && number === (fault.afterFrames ?? 0)) return yield { text: '', after: 'hang' };
    if (fault?.kind === 'in-band-error' && number === stop) return yield { text: errorFrame('The server had an error.'), after: 'end' };
    if (fault?.kind === 'malformed-json' && number === (fault.frame ?? 1))
      yield { text: `${text.slice(0, text.length >> 1).trimEnd()}\n\n` };
    else if (fault?.kind === 'comments') yield { text: `: PROCESSING\n\n${text}` };
    else yield { text };
    number += 1;
  }
}
