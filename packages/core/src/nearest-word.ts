/**
 * The known word nearest to one that is not known, for a "did you mean".
 *
 * @returns `undefined` when none is near: more than a third of the letters differ.
 */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const scored = known.map((candidate) => ({ candidate, distance: distance(word.toLowerCase().slice(0, 64), candidate.toLowerCase()) }));
  const [best] = scored.sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.max(2, Math.ceil(best.candidate.length / 3)) ? best.candidate : undefined;
}

// Levenshtein distance, one row at a time.
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
