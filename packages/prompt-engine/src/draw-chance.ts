/**
 * A number from 0 up to 1 that depends on the seed alone.
 */
export function drawChance(seed: string): number {
  return hash(seed) / 2 ** 32;
}

// FNV-1a over the UTF-16 units, then the finaliser of MurmurHash3, whose bits spread evenly: 32 of them.
function hash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
