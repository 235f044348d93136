import { createHash } from 'node:crypto';

/** A UUID that follows from its parts, so that the same turn is the same job. */
export function jobId(...parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  // Version 8 of RFC 9562: made by a rule of one's own.
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
