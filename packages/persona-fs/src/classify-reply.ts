/** What a beat's reply amounts to. */
export interface ReplyVerdict {
  /** True when there is nothing that anybody should hear. */
  readonly silent: boolean;
  /** What to deliver: the reply without the token; `''` when silent. */
  readonly text: string;
}

const HIDDEN = /[\u00AD\u200B-\u200F\u2060\uFEFF]/g;
// The token as models write it when they mean it: any case, joined by a sign or a blank, its end repeated.
const LOOSE_TOKEN = /(?<![\p{L}\p{N}_])heartbeat[_\s-]?ok(?:ay)?(?:[_\s-]+(?:heartbeat[_\s-]?)?ok)*(?![\p{L}\p{N}_])/giu;
// The token as it must never be delivered. In a longer name, such as MY_HEARTBEAT_OK_FLAG, it is not the token.
const STRICT_TOKEN = /[`*~"'“”‘’<[(]*(?<![\p{L}\p{N}_])heartbeat\\?_ok(?:\\?_ok)*(?![\p{L}\p{N}_])[`*~"'“”‘’>\])]*/giu;

const SUBJECT = "(?:there(?: is| are|'s) |i (?:have|found|see) |we have )?(?:still |currently |also )?";
const NOTHING =
  '(?:nothing|(?:no|no new|no urgent|no pending|no open|no due) (?:news|updates?|changes|tasks?|items?|issues?|reminders?|alerts?|events?))';
const TAIL =
  '(?:(?: new| urgent| due| found| pending)|(?: to (?:report|do|add|note|tidy|share))|(?: (?:that )?(?:needs?|requires?|requiring|needing) (?:doing|attention|tidying|action|your attention))|(?: (?:now|today|tonight|yet|at this time|at the moment|right now|for now)))*';
const PHRASES = [
  'ok(?:ay)?|done|thanks|thank you|understood|noted|acknowledged|hello|hi|good (?:morning|evening|night)',
  "(?:everything|all)(?: is|'s| looks)? (?:quiet|fine|good|ok(?:ay)?|clear|well|in order)",
  `${SUBJECT}${NOTHING}${TAIL}`,
  'no (?:action|attention)(?: is)? (?:needed|required)',
  '(?:my |the )?(?:reply|status|answer|response|result)(?: is)?',
];
/** Plain ways to say that there is nothing, each a whole clause. Closed on purpose: what is not in it is heard. */
const STOCK = new RegExp(`^(?:${PHRASES.join('|')})$`, 'i');

/**
 * Judges a beat's reply once and as a whole. Silent: nothing visible, or the token with at most stock phrases and signs
 * around it. Everything else is heard, with the token taken out: a report that mentions the token is a report.
 */
export function classifyReply(reply: string): ReplyVerdict {
  const plain = plainText(reply);
  const rest = plain.replace(LOOSE_TOKEN, '\n');
  const quiet = rest === plain ? !/[\p{L}\p{N}\p{S}]/u.test(plain) : clausesOf(rest).every((clause) => STOCK.test(clause));
  return quiet ? { silent: true, text: '' } : { silent: false, text: withoutToken(reply) };
}

function withoutToken(reply: string): string {
  const visible = reply.replace(HIDDEN, '');
  const text = visible.replace(STRICT_TOKEN, ' ');
  if (text === visible) return reply.trim();
  return text
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/[ \t]+(?=[.,;:!?])/g, '')
    .replace(/^[\s.,;:!?–—-]+/, '')
    .trim();
}

/** Without markup and characters that nobody sees, wide letters narrow. */
const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(HIDDEN, '')
    .replace(/<\/?[a-z][^<>]{0,80}>/gi, ' ')
    .replaceAll('\\_', '_')
    .replaceAll('’', "'")
    .replace(/[`*~"“”‘]|(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, ' ');

const clausesOf = (text: string): readonly string[] =>
  text
    .split(/[.!?;:,\n()–—]+|\s-\s/u)
    .map((clause) =>
      clause
        .replace(/[^\p{L}\p{N}' ]+/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));
