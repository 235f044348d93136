import { createHash } from 'node:crypto';

/**
 * The hash of a list of records, and of its first `prefix` ones: equal to an older list's hash, it says that the list
 * only grew, without reading the old one.
 */
export function blocksHash(bodies: readonly string[], prefix: number): { readonly hash: string; readonly prefixHash: string | undefined } {
  const running = createHash('sha256');
  let prefixHash: string | undefined = prefix === 0 ? running.copy().digest('hex') : undefined;
  bodies.forEach((body, index) => {
    running.update(`${body.length}:${body}`);
    if (index + 1 === prefix) prefixHash = running.copy().digest('hex');
  });
  return { hash: running.digest('hex'), prefixHash };
}
