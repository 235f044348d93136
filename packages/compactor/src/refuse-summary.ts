import { isBlankForm, isNoAnswer, isToolCall } from './empty-answers.js';
import type { FailureCode } from './events.js';
import { isPlaceholder } from './placeholders.js';

/**
 * Why an answer is no summary, or `undefined` when it may be one.
 *
 * @param sections - Words that it must contain.
 */
export function refusalOf(answer: unknown, sections: readonly string[] = []): FailureCode | undefined {
  const text = typeof answer === 'string' ? answer : (answer as { text?: unknown } | null | undefined)?.text;
  if (typeof text !== 'string') return 'summary_not_text';
  const finish = typeof answer === 'string' ? undefined : (answer as { finish?: unknown }).finish;
  if (finish !== undefined && finish !== 'stop') return 'summary_unfinished';
  if (text.trim() === '') return 'summary_empty';
  if (isErrorText(text)) return 'summary_is_error';
  const lower = text.toLowerCase();
  return sections.some((section) => !lower.includes(section.toLowerCase())) ? 'summary_sections_missing' : undefined;
}

/** Longer texts are summaries, however they begin; so are sentences longer than services write. */
const LONGEST_ERROR = 600;
const LONGEST_SENTENCE = 240;

const NOTHING = /^"?(?:null|undefined|nan|\[object \w+\])"?$/i;
/** `context_length_exceeded`, and the one or two words that clients throw when a call is over. */
const CODE =
  /^(?:[a-z]+(?:_[a-z]+)+|(?:cancell?ed|aborted|terminated|socket hang ?up|fetch failed|no generations found in stream|(?:the |this )?(?:operation|request|generation|stream|run) was (?:aborted|cancell?ed))[.!]?)$/i;
/** An event of a stream, as it came over the wire. */
const EVENT = /^(?:event:\s*\w+\s*\n\s*data:|data:\s*[{[])/i;
/** `Error: …`, `TypeError: …`, `Traceback (most recent call last):`. */
const NAMED =
  /^(?:(?:uncaught |unhandled |fatal |internal |api |http )?[\w.]*(?:error|exception)|traceback(?: \([^)\n]{0,40}\))?|fatal|panic)\s?:/i;
const REASON =
  'bad request|unauthori[sz]ed|payment required|forbidden|not found|request time-?out|conflict|payload too large|unprocessable (?:entity|content)|too many requests|internal server error|internal error|server error|not implemented|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|overloaded';
const STATUS = new RegExp(
  `^(?:https?(?:/[\\d.]+)?[ :]+|status(?: code)?[ :]+|error[ :]+)?[45]\\d\\d(?:\\s*[:–—-]?\\s*\\(?(?:${REASON})\\)?)?[.!]?$`,
  'i',
);
/** A status with whatever a gateway adds to it, and what gateways and clients say without one. */
const GATEWAY =
  /^(?:(?:https?(?:\/[\d.]+)?|status(?: code)?)[ :]+[45]\d\d\s*[:–—-]|upstream connect error\b|(?:connect |read |write )?E(?:CONN(?:RESET|REFUSED|ABORTED)|TIMEDOUT|NOTFOUND|AI_AGAIN)\b)/i;
/** What services say in more than one sentence. */
const NOTICE =
  /^(?:this model['’]s maximum context length is \d|(?:the )?(?:prompt|input|request) is too (?:long|large)[:(]|(?:incorrect|invalid) api key\b(?! (?:was|in|from|for)\b)|you exceeded your current quota|(?:the )?model [`"'][^`"'\n]{1,80}[`"'] (?:(?:was )?not found|does not exist)\b|error code:? ?\d{3,4}[.!]?$)/i;
/** A page of a gateway, however long. */
const PAGE = /^\s*(?:<!doctype html|<html[\s>]|<\?xml[\s?])/i;
/** What services say in one sentence where an answer should be. */
const SENTENCE = new RegExp(
  [
    `^(?:the )?(?:${REASON})(?:[,.:;!(]|$)`,
    '^(?:an? )?(?:\\w+ )?(?:error|exception)(?:$|[.!]$| (?:occurred|happened|while|processing|generating|calling|connecting|during (?:compaction|compression|summari[sz]ation|generation|streaming))\\b)',
    '^(?:an? )?(?:unknown|unexpected|internal|server|network|timeout|connection|authentication|validation) (?:error|exception)\\b',
    '^failed to (?:fetch|load|parse|connect|generate|complete|process|summari[sz]e|read|get|reach|respond|call)\\b',
    '^(?:the )?(?:(?:llm|api|model|provider) )?(?:request|connection|fetch|call) (?:failed|timed out|was (?:aborted|refused|reset))\\b',
    '^(?:the |this |your )?(?:request|prompt|input|conversation|context) (?:is |was )?too (?:long|large|big)(?: \\([^)]{1,30}\\))?[.!]?$',
    '^unable to (?:submit|process|complete) (?:the |your |this )?request\\b',
    '^not logged in\\b|^(?:your )?credit balance (?:is )?too low\\b|^(?:\\w+ ){0,2}usage limit (?:reached|exceeded)\\b',
    "^you(?:['’]ve| have) (?:hit|reached|exceeded) (?:your|the) (?:\\w+ ){0,2}limit\\b",
    "^(?:okay|ok|sure|understood|got it|alright|all right)[,.!]? i(?:['’]ll| will|['’]m going to| am going to) (?:now )?(?:summari[sz]e|continue|proceed|create|write|provide|generate)\\b",
    '^(?:the )?(?:response|content|prompt|request|output|completion|generation) (?:was |has been )?(?:blocked|filtered|flagged|stopped)(?: ?:|(?: due to| because of| by)(?: the| our| its)? (?:prompt triggering|safety|content (?:filter|polic|management)|moderation|recitation)\\b)',
    '^rate[ -]?limit(?:ed$| (?:exceeded|reached|hit)\\b| error\\b)',
    '^(?:connection|network|socket) (?:error|refused|reset|closed|time-?out)\\b',
    '^time-?out:? [^\\n]*\\b(?:took too long|exceeded|expired|waiting for|after \\d)',
    '^(?:the |this |our )?(?:model|server|service|engine|api|system|backend) (?:is|are) (?:currently |temporarily )?(?:overloaded|unavailable|busy|at capacity|not (?:available|responding))(?:[.!]?$|,| (?:right now|at (?:the|this)|due|because)\\b)',
  ].join('|'),
  'i',
);
/** What a model says that will not do it. */
const REFUSAL =
  /^(?:i(?:['’]m| am) (?:very |so )?(?:sorry|unable|afraid|not able)\b|sorry,? (?:but )?i\b|i apologi[sz]e\b|my apologies\b|as an ai (?:language )?(?:model|assistant)\b|(?:unfortunately,? )?i (?:can(?:['’]t|not)|won['’]t) (?:help|assist|summari|do\b|comply|provide|process|create|generate|fulfil))/i;
/** What services add to an error: what to do now. */
const ADVICE = /[.!;]\s+(?:please\b|try (?:again|with|a)\b|retry|visit\b|see\b|contact\b|check\b|press\b)[\s\S]*$/i;

/** True for a text that as a whole is an error: of a failing service, or of a model that refuses or did something else. */
function isErrorText(text: string): boolean {
  if (PAGE.test(text) || isBlankForm(text)) return true;
  const whole = text.replace(/^\s*```\w*\s*\n|\n\s*```\s*$/g, '').trim();
  if (isToolCall(whole)) return true;
  if (text.length >= LONGEST_ERROR) return false;
  if ([NOTHING, CODE, NAMED, STATUS, EVENT, GATEWAY, NOTICE, REFUSAL].some((form) => form.test(whole))) return true;
  if (isErrorObject(whole) || isEmptyObject(whole) || isNoAnswer(whole)) return true;
  const said = whole.replace(ADVICE, '.');
  if (isPlaceholder(said)) return true;
  const isSentence = said.length <= LONGEST_SENTENCE && !/\n|[.!?;]\s+\S/.test(said.replace(/^(?:understood|okay|ok|sure)[.!]\s/i, ''));
  return isSentence && SENTENCE.test(said);
}

/** `{"error": …}`, alone or first in a list; also one that was cut off. */
function isErrorObject(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first !== 'object' || first === null) return false;
    const { error, errors, type } = first as { error?: unknown; errors?: unknown; type?: unknown };
    return Boolean(error) || Boolean(errors) || type === 'error';
  } catch {
    return /^\[?\s*\{\s*"?errors?"?\s*:/i.test(text);
  }
}

/** An object of JSON whose texts are all blank: a form that was sent back. */
function isEmptyObject(text: string): boolean {
  return /^\{\s*(?:"[^"\\]{1,40}"\s*:\s*(?:"\s*"|\[\s*\]|null)\s*(?:,\s*)?)+\}$/.test(text);
}
