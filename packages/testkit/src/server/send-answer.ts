import type { ServerResponse } from 'node:http';
import type { ModelEvent } from '@x/core';
import type { AnswerOptions, Dialect } from './dialect.js';
import type { Fault } from './fault.js';
import { faultyFrames } from './shape-answer.js';

/** Sends events as a stream; says whether the connection was cut on purpose. */
export async function sendStream(
  response: ServerResponse,
  dialect: Dialect,
  events: AsyncIterable<ModelEvent>,
  options: AnswerOptions,
  fault: Fault | undefined,
): Promise<'sent' | 'cut'> {
  const frames = dialect.frames(events, options);
  for await (const { text, after } of faultyFrames(frames, fault, dialect.errorFrame)) {
    const bytes = Buffer.from(text);
    if (!response.headersSent && !(after === 'hang' && bytes.length === 0)) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    }
    await write(response, bytes, fault?.kind === 'split' ? (fault.bytes ?? 1) : bytes.length);
    if (after === 'hang') return 'sent';
    if (after === 'cut') {
      // Give the half frame a moment to leave before the connection breaks.
      setImmediate(() => response.destroy());
      return 'cut';
    }
  }
  response.end();
  return 'sent';
}

/** Sends events as one JSON object; says whether the connection was cut on purpose. */
export async function sendWhole(
  response: ServerResponse,
  dialect: Dialect,
  events: AsyncIterable<ModelEvent>,
  options: AnswerOptions,
  fault: Fault | undefined,
): Promise<'sent' | 'cut'> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  const json = Buffer.from(JSON.stringify(dialect.whole(all, options)));
  if (fault?.kind === 'hang') return 'sent';
  const broken = fault?.kind === 'malformed-json';
  const bytes = broken || fault?.kind === 'cut' || fault?.kind === 'early-end' ? json.subarray(0, json.length >> 1) : json;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': broken ? bytes.length : json.length });
  await write(response, bytes, fault?.kind === 'split' ? (fault.bytes ?? 1) : bytes.length);
  if (bytes.length < json.length && !broken) {
    setImmediate(() => response.destroy());
    return 'cut';
  }
  response.end();
  return 'sent';
}

/** Sends one JSON value. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

async function write(response: ServerResponse, bytes: Buffer, size: number): Promise<void> {
  for (let from = 0; from < bytes.length; from += size) {
    response.write(bytes.subarray(from, from + size));
    // Pieces that are written in one go would arrive as one.
    if (size < bytes.length) await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
