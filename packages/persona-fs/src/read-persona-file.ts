import { isUtf8 } from 'node:buffer';
import { checkInside } from './check-inside.js';
import { closeSync, constants, fstatSync, openSync, readSync } from './node-files.js';
import type { PersonaProblem } from './problems.js';

/** What is left of a file that is too long: its start, or its end. */
export type Keep = 'head' | 'tail';

/** A file's text, why there is none, or neither when it is absent. */
export interface FileReading {
  /** Without byte order mark, line breaks as they are; cut between characters when `truncated`. */
  readonly text?: string | undefined;
  readonly truncated?: boolean | undefined;
  readonly problem?: PersonaProblem | undefined;
}

/**
 * Reads at most `maxBytes` of one file of a persona. Links, pipes, devices and directories are refused unopened; a
 * longer file costs no more memory than the cap. Never throws.
 *
 * @param root - Real path of the persona's directory.
 * @param name - The file's path inside it, with `/`.
 */
export function readPersonaFile(root: string, name: string, maxBytes: number, keep: Keep = 'head'): FileReading {
  const inside = checkInside(root, name);
  if (inside.state === 'absent') return {};
  if (inside.state === 'unsafe') return { problem: { code: 'file_unsafe', file: name, message: inside.message } };
  let bytes: Buffer;
  let sizeBytes: number;
  try {
    ({ bytes, sizeBytes } = readBounded(inside.path, maxBytes, keep));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'ENOENT') return {};
    return { problem: { code: 'file_unreadable', file: name, message: `It could not be read (${code}). Check its permissions.` } };
  }
  const truncated = sizeBytes > maxBytes;
  const { text, valid } = decode(truncated ? wholeCharacters(bytes, keep) : bytes);
  if (!valid) {
    const message = 'It holds bytes that are no UTF-8 text; they show as U+FFFD, zeros are left out. Save it as UTF-8.';
    return { text, truncated, problem: { code: 'file_bytes_invalid', file: name, message } };
  }
  if (!truncated) return { text, truncated };
  const lost = `${sizeBytes - maxBytes} of its ${sizeBytes} bytes, at the ${keep === 'head' ? 'end' : 'start'}, are not in the prompt`;
  return { text, truncated, problem: { code: 'file_truncated', file: name, message: `${lost}. Shorten it.` } };
}

function readBounded(path: string, maxBytes: number, keep: Keep): { bytes: Buffer; sizeBytes: number } {
  // Not following links and not blocking: between the check and this line somebody may have put a link or a pipe there.
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const sizeBytes = fstatSync(handle).size;
    const bytes = Buffer.alloc(Math.min(sizeBytes, maxBytes));
    const from = keep === 'tail' ? sizeBytes - bytes.length : 0;
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(handle, bytes, filled, bytes.length - filled, from + filled);
      if (count === 0) break;
      filled += count;
    }
    return { bytes: bytes.subarray(0, filled), sizeBytes };
  } finally {
    closeSync(handle);
  }
}

/** Drops the part of a UTF-8 character that a cut left over: at the end for `head`, at the start for `tail`. */
export function wholeCharacters(bytes: Buffer, keep: Keep): Buffer {
  const continues = (index: number): boolean => ((bytes[index] ?? 0) & 0b1100_0000) === 0b1000_0000;
  if (keep === 'tail') {
    let start = 0;
    while (start < 3 && start < bytes.length && continues(start)) start += 1;
    return bytes.subarray(start);
  }
  let lead = bytes.length - 1;
  while (lead > 0 && lead > bytes.length - 4 && continues(lead)) lead -= 1;
  const first = bytes[lead] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return lead + length > bytes.length ? bytes.subarray(0, Math.max(0, lead)) : bytes;
}

function decode(bytes: Buffer): { text: string; valid: boolean } {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (mark === 0xfffe) return { text: new TextDecoder('utf-16le').decode(bytes), valid: true };
  if (mark === 0xfeff) return { text: new TextDecoder('utf-16be').decode(bytes), valid: true };
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  return { text: text.replaceAll('\0', ''), valid: isUtf8(bytes) && !text.includes('\0') };
}
