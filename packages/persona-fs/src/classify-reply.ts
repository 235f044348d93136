import { once } from './once.js';
import { clausesOf, plainReply, withoutUnseen } from './plain-reply.js';
import { holdsSign, isQuietClause, isStockClause, soundsAlarm } from './quiet-phrases.js';

/** What a beat's reply amounts to. */
export interface ReplyVerdict {
  /** True when there is nothing that anybody should hear. */
  readonly silent: boolean;
  /** What to deliver: the reply without the token; `''` when silent. */
  readonly text: string;
}

export interface ClassifyReplyOptions {
  /** The model called `heartbeat_ok`: what it narrates then is not heard, an alarm is. Default false. */
  readonly decidedQuiet?: boolean | undefined;
}

const START = '(?<![\\p{L}\\p{N}_])';
const END = '(?![\\p{L}\\p{N}_])';
// The token as models write it when they mean it: any case, joined by a sign or a blank, repeated whole or at its end.
const LOOSE = `${START}heartbeat[_\\s-]?ok(?:ay)?(?:[_\\s-]*(?:heartbeat[_\\s-]?)?ok(?:ay)?)*${END}`;
const looseToken = once(() => new RegExp(LOOSE, 'giu'));
// What other systems have a model write for silence; only so, since `No reply.` may be a report.
const OTHER_TOKENS = /(?<!\w)(?:NO_REPLY|\[SILENT\])(?!\w)/g;
// One word and a colon before it: who speaks, or what was looked at.
const label = once(() => new RegExp(`^[^\\p{L}\\p{N}\\n]*(\\p{L}[\\p{L}'-]{0,20})[ \\t]*:(?=[^\\p{L}\\p{N}]*${LOOSE})`, 'gimu'));
// The token as it must never be delivered. In a longer name, such as MY_HEARTBEAT_OK_FLAG, it is not the token.
const STRICT = `${START}heartbeat\\\\?_ok(?:\\\\?_?(?:heartbeat\\\\?_)?ok)*${END}`;
const strictToken = once(() => new RegExp(`[\`*~"'“”‘’<[(]*${STRICT}[\`*~"'“”‘’>\\])]*`, 'giu'));
const someToken = once(() => new RegExp(STRICT, 'iu'));

/**
 * Judges a beat's reply once and as a whole. Silent: nothing visible; the token with at most stock phrases and calm
 * signs around it; or, without the token, stock phrases of which one says that there is nothing. Everything else is
 * heard, with the token taken out: a report that mentions the token is a report.
 */
export function classifyReply(reply: string, { decidedQuiet = false }: ClassifyReplyOptions = {}): ReplyVerdict {
  const plain = plainReply(reply);
  const rest = plain
    .replace(label(), (whole, word) => (soundsAlarm(String(word)) ? whole : ' '))
    .replace(looseToken(), '\n')
    .replace(OTHER_TOKENS, '\n');
  const silent = decidedQuiet ? isNarration(rest) : rest === plain ? saysNothing(plain) : isStock(rest);
  return silent ? { silent: true, text: '' } : { silent: false, text: withoutToken(reply) };
}

/** True when a text holds the token, however it is wrapped. */
export const holdsQuietToken = (text: string): boolean => someToken().test(plainReply(text));

const isStock = (text: string): boolean => !holdsSign(text) && clausesOf(text).every(isStockClause);

function saysNothing(text: string): boolean {
  if (!holdsSign(text) && !/[\p{L}\p{N}\p{S}]/u.test(text.replace(/\p{Extended_Pictographic}/gu, ''))) return true;
  // A question waits for somebody.
  return !text.includes('?') && isStock(text) && clausesOf(text).some(isQuietClause);
}

function isNarration(text: string): boolean {
  return !holdsSign(text) && !clausesOf(text).some((clause) => !isStockClause(clause) && soundsAlarm(clause));
}

function withoutToken(reply: string): string {
  const visible = withoutUnseen(reply);
  const text = visible.replace(strictToken(), ' ');
  if (text === visible) return reply.trim();
  return text
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/[ \t]+(?=[.,;:!?])/g, '')
    .replace(/^[\s.,;:!?–—-]+/, '')
    .trim();
}
