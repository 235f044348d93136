/**
 * A number from 0 up to 1 that depends on the seed alone.
 *
 * @remarks FNV-1a over the UTF-16 units, then the finaliser of MurmurHash3, whose 32 bits spread evenly.
 */
export function drawChance(seed: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < seed.length; index += 1) hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
