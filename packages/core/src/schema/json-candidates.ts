// Enough for any honest reply; a bound, so that a text of ten thousand braces costs no more than a long one.
const MAX_STARTS = 64;

/**
 * Finds the complete objects and lists in a text: from each opening bracket to the one that closes it, with strings
 * understood, so that prose, fences and footnotes around a value do no harm.
 *
 * @returns The candidates, values that hold objects first, each group in the order of the text; and whether the last
 * bracket never closed, as in a reply that was cut off.
 */
export function jsonCandidates(text: string): { readonly candidates: readonly string[]; readonly cutOff: boolean } {
  const candidates: string[] = [];
  let cutOff = false;
  let at = nextBracket(text, 0);
  for (let starts = 0; at !== -1 && starts < MAX_STARTS; starts += 1) {
    const end = closing(text, at);
    if (end === -1) cutOff = true;
    else candidates.push(text.slice(at, end + 1));
    at = nextBracket(text, end === -1 || !/["{]/.test(text.slice(at, end + 1)) ? at + 1 : end + 1);
  }
  const rich = (candidate: string): boolean => candidate.includes('{');
  return { candidates: [...candidates.filter(rich), ...candidates.filter((candidate) => !rich(candidate))], cutOff };
}

/** What stands inside one that did not parse: an object whose surroundings only looked like JSON. */
export function innerCandidates(candidate: string): readonly string[] {
  return jsonCandidates(candidate.slice(1, -1)).candidates;
}

function nextBracket(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) if (text[index] === '{' || text[index] === '[') return index;
  return -1;
}

function closing(text: string, start: number): number {
  const open: string[] = [];
  let quoted = false;
  for (let index = start; index < text.length; index += 1) {
    const char = text[index];
    if (quoted) {
      if (char === '\\') index += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{' || char === '[') open.push(char === '{' ? '}' : ']');
    else if (char === '}' || char === ']') {
      if (open.pop() !== char) return -1;
      if (open.length === 0) return index;
    }
  }
  return -1;
}
