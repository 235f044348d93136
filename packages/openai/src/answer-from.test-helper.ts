import { readdirSync, readFileSync } from 'node:fs';
import type { IChatModel, ModelEvent, ModelRequest, ToolSpec } from '@x/core';
import type { Fetch } from './client-options.js';

/** The names of all wire samples. */
export function fixtures(): readonly string[] {
  return readdirSync(new URL('../fixtures', import.meta.url)).filter((name) => name.endsWith('.sse'));
}

/** The bytes of a wire sample. */
export function fixture(name: string): Uint8Array {
  return readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
}

export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  /** What arrives, piece by piece; text is sent as UTF-8. */
  readonly pieces?: readonly (Uint8Array | string)[];
  /** After the pieces: the end, a broken connection, or nothing any more. */
  readonly after?: 'end' | 'break' | 'silence';
}

export interface Sent {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: { readonly [field: string]: unknown };
}

/** A `fetch` that answers from a list, the last answer again and again, and remembers what was sent. */
export function answerFrom(...answers: readonly FakeAnswer[]): { readonly fetch: Fetch; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, { headers, body, signal }) => {
    signal.throwIfAborted();
    const answer = answers[Math.min(sent.length, answers.length - 1)] ?? {};
    sent.push({ url, headers, body: JSON.parse(body) });
    return new Response(streamOf(answer, signal), {
      status: answer.status ?? 200,
      headers: { 'content-type': 'text/event-stream', ...answer.headers },
    });
  };
  return { fetch, sent };
}

function streamOf({ pieces = [], after = 'end' }: FakeAnswer, signal: AbortSignal): ReadableStream<Uint8Array> {
  const left = pieces.map((piece) => (typeof piece === 'string' ? new TextEncoder().encode(piece) : piece));
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = left.shift();
        if (piece !== undefined) return controller.enqueue(piece);
        if (after === 'end') return controller.close();
        if (after === 'break') return controller.error(new TypeError('terminated'));
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
      },
    },
    { highWaterMark: 0 },
  );
}

const tool = (name: string, field?: string): ToolSpec => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object', properties: field ? { [field]: { type: 'string' } } : {}, ...(field && { required: [field] }) },
});

/** The request that the wire samples answer. */
export const request: ModelRequest = {
  messages: [
    { role: 'system', content: 'You help.' },
    { role: 'user', content: 'What is the weather in Zürich?' },
  ],
  tools: [tool('get_weather', 'city'), tool('get_time', 'zone'), tool('list_cities')],
};

/** Everything that a model yields, and what it threw in the end. */
export async function eventsOf(
  model: IChatModel,
  asked: ModelRequest = request,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ readonly events: readonly ModelEvent[]; readonly thrown: unknown }> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of model.stream(asked, { signal })) events.push(event);
    return { events, thrown: undefined };
  } catch (thrown) {
    return { events, thrown };
  }
}
