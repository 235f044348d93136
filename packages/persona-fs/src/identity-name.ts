/** Longer than this it is a sentence. Ours. */
const LONGEST_NAME = 80;
// `Name: Pixel`, alone or in a list, with the emphasis that authors put around either half.
const NAME_LINE = /^[ \t]*(?:[-*+][ \t]+)?[*_]{0,2}name[*_]{0,2}[ \t]*[:：][*_]{0,2}[ \t]*(\S[^\r\n]*)$/im;
// What a template leaves to be filled in.
const PLACEHOLDER = /^(?:\(.*\)|\[.*\]|<.*>|\{.*\}|\.{3}|…|\?+|tbd|todo)$/i;

/** The name that the text of `IDENTITY.md` gives in a line of its own; `undefined` when it gives none. */
export function identityName(text: string): string | undefined {
  const name = NAME_LINE.exec(text)?.[1]
    ?.trim()
    .replace(/^[*_`"“]+|[*_`"”]+$/g, '')
    .trim();
  return name === undefined || name === '' || name.length > LONGEST_NAME || PLACEHOLDER.test(name) ? undefined : name;
}
