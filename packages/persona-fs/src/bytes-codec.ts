import { isUtf8 } from 'node:buffer';

const SURROGATE = 0xdc00;

/**
 * Reads bytes as text so that {@link encodeBytes} gives the same bytes back: what is not UTF-8 becomes a lone
 * surrogate, U+DC80 to U+DCFF, one for each byte. A byte order mark stays as U+FEFF.
 */
export function decodeBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  let index = 0;
  while (index < bytes.length) {
    const first = bytes[index]!;
    const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    const piece = bytes.subarray(index, index + length);
    if (piece.length === length && isUtf8(piece)) {
      text += piece.toString('utf8');
      index += length;
    } else {
      text += String.fromCharCode(SURROGATE + first);
      index += 1;
    }
  }
  return text;
}

/** The bytes of a text made by {@link decodeBytes}, or of any well-formed text. */
export function encodeBytes(text: string): Buffer {
  if (!/[\uDC80-\uDCFF]/.test(text)) return Buffer.from(text, 'utf8');
  const parts: Buffer[] = [];
  // Without the u flag a pair's second half would match too, so the pattern steps over whole pairs.
  for (const [piece] of text.matchAll(/(?:[\uD800-\uDBFF][\uDC00-\uDFFF]|[^\uDC80-\uDCFF])+|[\uDC80-\uDCFF]/g)) {
    const code = piece.length === 1 ? piece.charCodeAt(0) : 0;
    parts.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - SURROGATE]) : Buffer.from(piece, 'utf8'));
  }
  return Buffer.concat(parts);
}

/** Replaces halves of surrogate pairs that stand alone by U+FFFD, so that a text has bytes. */
export const wellFormed = (text: string): string =>
  text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDFFF]/g, (piece) => (piece.length === 2 ? piece : '\uFFFD'));
