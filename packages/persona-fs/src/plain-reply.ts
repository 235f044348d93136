const ENTITIES: { readonly [name: string]: string } = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

/** A reply without markup and signs that nobody sees, wide letters narrow: as a reader takes it in. */
export function plainReply(reply: string): string {
  const text = withoutUnseen(reply)
    .replace(/&(?:(lt|gt|amp|quot|apos|nbsp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (whole, name, decimal, hex) =>
      name ? (ENTITIES[String(name).toLowerCase()] ?? whole) : signOf(decimal ? Number(decimal) : Number.parseInt(String(hex), 16), whole),
    )
    .normalize('NFKC');
  return (
    withoutThoughts(text)
      // The name of a language after a fence; the mark itself goes with the other marks below.
      .replace(/^[ \t>]*(?:`{3,}|~{3,})[ \t]*[\w+-]{0,20}[ \t]*$/gm, '\n')
      .replace(/!?\[([^[\]]{0,200})\]\([^()\n]{0,500}\)/g, ' $1 ')
      // What a chat template ends and begins messages with.
      .replace(/<\|\w{1,30}\|>/g, '\n')
      // A tag has a name of HTML's kind; what else stands between such brackets is text.
      .replace(/<\/?[a-z][a-z0-9-]{0,20}(?:[\s/][^<>]{0,80})?>/gi, ' ')
      .replaceAll('\\_', '_')
      .replace(/[’‘]/g, "'")
      .replace(/heartbeat\.md/gi, 'checklist')
      // The number of an item in a list.
      .replace(/^[ \t]*\d{1,3}[.)](?=[ \t])/gm, ' ')
      .replace(/[`*~"“”‘<>]|(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, ' ')
  );
}

/** Without characters that have no shape. */
export const withoutUnseen = (text: string): string => text.replace(/\p{DI}/gu, '');

const signOf = (code: number, whole: string): string => (code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : whole);

/** What a model thought aloud is not its reply, unless there is nothing else. */
function withoutThoughts(text: string): string {
  const said = text
    .replace(/<(think|thinking|reasoning|thought)>[\s\S]*?<\/\1>/gi, ' ')
    // Where a runtime took the tag that opens, all before the one that closes was thought.
    .replace(/^[\s\S]*<\/(?:think|thinking|reasoning|thought)>/i, ' ');
  return said.trim() === '' ? text : said;
}

/** The clauses of a plain reply, without times and signs; only those that hold a letter or a digit. */
export function clausesOf(text: string): readonly string[] {
  return withoutStamps(text)
    .replace(/\s(?:and|but) (?=(?:there|nothing|no|all|everything|i|i'm|i'll|it|found)\b)/gi, '\n')
    .split(/[.!?;:,\n()|。、，；：]+|–|—|\s-\s/u)
    .map((clause) =>
      clause
        .replace(/[^\p{L}\p{N}' -]+/gu, ' ')
        .replace(/\s+/g, ' ')
        .replace(/^[\s-]+|[\s-]+$/g, ''),
    )
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));
}

const DAY = '\\d{4}-\\d\\d-\\d\\d';
const TIME = '(?<![\\d:.])(?:[01]?\\d|2[0-4]):[0-5]\\d(?::[0-5]\\d)?(?:[.,]\\d{1,9})?(?:[ \\t]?[ap]\\.?m\\b\\.?)?(?!:?\\d)';
const ZONE = '(?:Z\\b|[ \\t]?(?:UTC|GMT|CES?T)\\b|[+-]\\d\\d:?\\d\\d\\b)?';
/** Matches a date, a time, or both, as they are set beside a message; the source of a pattern. */
export const STAMP = `(?:${DAY}[T ,]{1,3})?${TIME}${ZONE}|${DAY}`;

/** Without the times and dates that a model sets beside its words. */
const withoutStamps = (text: string): string => text.replace(new RegExp(`(?:\\b(?:at|as of|on|since)[ \\t]+)?(?:${STAMP})`, 'gi'), ' ');
