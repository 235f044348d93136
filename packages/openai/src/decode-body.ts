import type { Transform } from 'node:stream';
import type { Arriving } from './arriving-body.js';

/** What reads a body, whatever it was packed in. */
export type BodyReader = Pick<Arriving, 'read' | 'cancel'>;

/**
 * Unpacks an answer as `fetch` does: the last coding first, as far as its bytes go, and untouched where a coding is unknown. Nothing is
 * started before the first read.
 *
 * @param codings - The `content-encoding` of the answer.
 */
export function decodedBody(arriving: Arriving, codings: string): BodyReader {
  const names = codings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length === 0 || !names.every((name) => KNOWN.has(name))) return arriving;
  let opened: Promise<AsyncIterator<Uint8Array>> | undefined;
  return {
    async read() {
      opened ??= unpack(arriving, names.reverse());
      const { done, value } = await (await opened).next();
      return done ? { done: true } : { done: false, value };
    },
    cancel: (reason) => arriving.cancel(reason),
  };
}

const KNOWN: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br']);

async function unpack(arriving: Arriving, names: readonly string[]): Promise<AsyncIterator<Uint8Array>> {
  const first = await arriving.read();
  const { Readable, pipeline } = process.getBuiltinModule('node:stream');
  const packed = Readable.from(bytesOf(first, arriving));
  // An answer without a body has nothing that could be unpacked.
  if (first.done) return packed[Symbol.asyncIterator]();
  const steps = names.map((name, index) => unpacker(name, index === 0 ? first.value?.[0] : undefined));
  const last = steps.at(-1)!;
  pipeline([packed, ...steps], () => undefined); // what fails is thrown to who reads the last step
  return last[Symbol.asyncIterator]();
}

async function* bytesOf(first: Awaited<ReturnType<Arriving['read']>>, arriving: Arriving): AsyncGenerator<Uint8Array, void> {
  for (let next = first; !next.done; next = await arriving.read()) if (next.value) yield next.value;
}

/** @param head - The first byte, which tells whether "deflate" has the header that it should have. */
function unpacker(name: string, head: number | undefined): Transform {
  const zlib = process.getBuiltinModule('node:zlib');
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  const lenient = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
  if (name === 'br') return zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH });
  if (name !== 'deflate') return zlib.createGunzip(lenient);
  return head === undefined || (head & 0x0f) === 8 ? zlib.createInflate(lenient) : zlib.createInflateRaw(lenient);
}
