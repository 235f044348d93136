/** A file pattern as an expression, and what of a path it is tried on. */
export interface GlobPattern {
  readonly expression: RegExp;
  /** The whole path below the folder, or its last part. */
  subject(path: string): string;
}

/**
 * Reads a file pattern. `*` and `?` stay inside one part, `**` crosses parts, `{a,b}` is one of several, `[a-z]` one
 * character of a set. A pattern without a slash is tried on the last part.
 *
 * @returns `undefined` when the pattern is longer than 500 characters, its braces nest deeper than 3, or a set is none.
 * @remarks The expression may take very long on a path that almost fits: match it apart.
 */
export function globPattern(pattern: string): GlobPattern | undefined {
  if (pattern.length > 500) return undefined;
  const source = translate(pattern.replace(/^\.\//, ''), 0);
  if (source === undefined) return undefined;
  try {
    const expression = new RegExp(`^${source}$`, 'u');
    return { expression, subject: (path) => (pattern.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1)) };
  } catch {
    return undefined; // such as a range from z to a
  }
}

function translate(pattern: string, depth: number): string | undefined {
  if (depth > 3) return undefined;
  let source = '';
  for (let index = 0; index < pattern.length; index += 1) {
    const rest = pattern.slice(index);
    if (rest.startsWith('**/')) {
      source += '(?:[^/]+/)*';
      index += 2;
    } else if (rest.startsWith('**')) {
      source += '.*';
      index += 1;
    } else if (rest[0] === '*') source += '[^/]*';
    else if (rest[0] === '?') source += '[^/]';
    else if (rest[0] === '{' && rest.indexOf('}') > 0) {
      const end = closing(rest);
      const choices = split(rest.slice(1, end)).map((choice) => translate(choice, depth + 1));
      if (choices.includes(undefined)) return undefined;
      source += `(?:${choices.join('|')})`;
      index += end;
    } else if (rest[0] === '[' && rest.indexOf(']', 2) > 0) {
      const end = rest.indexOf(']', 2);
      const set = rest
        .slice(1, end)
        .replace(/^!/, '^')
        .replace(/[\\[\]/&|~]/g, '\\$&');
      source += `[${set}]`;
      index += end;
    } else source += rest[0]!.replace(/[.+^$()|\\{}[\]/]/g, '\\$&');
  }
  return source;
}

function closing(text: string): number {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '{') depth += 1;
    if (text[index] === '}') depth -= 1;
    if (depth === 0) return index;
  }
  return text.indexOf('}');
}

function split(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if (char === ',' && depth === 0) {
      parts.push('');
      continue;
    }
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    parts[parts.length - 1] += char;
  }
  return parts;
}
