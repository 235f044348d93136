/** The first `limit` characters of a text; never half of a surrogate pair, and never a lone one. */
export function excerpt(text: string, limit: number): string {
  let end = 0;
  let count = 0;
  for (const character of text) {
    if (count === limit) break;
    end += character.length;
    count += 1;
  }
  return text.slice(0, end).replace(/\p{Surrogate}/gu, '\uFFFD');
}
