/** Reads lines of `score:word,word` into a table; the last score of a word wins. */
export function parseLexicon(packed: string): ReadonlyMap<string, number> {
  const table = new Map<string, number>();
  for (const line of packed.split('\n')) {
    const colon = line.indexOf(':');
    const score = Number(line.slice(0, colon));
    for (const word of line.slice(colon + 1).split(',')) table.set(word, score);
  }
  return table;
}
