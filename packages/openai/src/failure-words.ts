/** What the words of a refusal are about, where its status alone does not tell. */
export type Subject = 'too_long' | 'no_quota' | 'no_model' | 'no_access' | 'not_allowed';

// Each endpoint says it in its own way; the tests name whose words these are.
const TOO_LONG = new RegExp(
  [
    'context[_ -]?(?:length|window|size|limit)',
    'maximum context',
    'exceeds? the (?:available )?context',
    'max(?:imum)?[_ ](?:prompt|model|input|allowed input)[_ ](?:length|tokens)',
    '(?:prompt|input|request)[_ ](?:is )?too[_ ](?:long|large)',
    'too many tokens(?!, please wait)',
    'token count[^.]{0,40}exceeds?',
    'exceeded model token limit',
    'prompt exceeds max',
    'range of input length',
    'reduce the length of the (?:messages|input|prompt)',
    'inputs` tokens \\+',
    "'(?:messages|input)[^']{0,40}': string too long",
    'num_ctx',
    'n_keep \\(\\d+\\) ?>= ?n_ctx',
    'tokens when context the overflows',
  ].join('|'),
  'i',
);
// A server that breaks over a long request says so too; fewer words are sure there.
const BROKE_ON_LENGTH =
  /context[_ ]?(?:length|window|size)[^.]{0,40}exceed|exceed[^.]{0,40}context[_ ]?(?:length|window|size)|prompt is too long/i;
const NO_QUOTA =
  /insufficient[_ ](?:quota|balance|credits?)|exceeded your current quota|credit balance|available credits|spending limit|billing[_ ](?:hard[_ ])?(?:limit|error|details)|(?:enable|requires?) billing/i;
// Nothing of the caller's stands in the words of a 429.
const NO_QUOTA_AT_LIMIT = new RegExp(`${NO_QUOTA.source}|billing`, 'i');
const NO_MODEL =
  /model[_ ]not[_ ](?:found|exist)|model_not_supported|invalid[_ ]model\b|not a valid model|\bmodel\b[^.]{0,100} (?:does not|doesn['’]t) exist|unknown model/i;
const NOT_ALLOWED = /moderation|was flagged|content[_ ](?:policy|filter|management)/i;
const NO_ACCESS = /api[_ ]?key (?:is )?(?:not valid|not found|invalid|expired)|(?:invalid|incorrect|wrong)[_ ]api[_ ]?key/i;

/**
 * What a refusal with this status is about; `undefined` when its words tell nothing beyond the status.
 *
 * @param waitMs - How long it asks to wait.
 */
export function subjectOf(status: number, words: string, waitMs = waitIn(words)): Subject | undefined {
  if (status === 429) return subjectOfLimit(words, waitMs);
  if (status >= 500) return BROKE_ON_LENGTH.test(words) ? 'too_long' : undefined;
  if (status !== 400 && status !== 403 && status !== 422) return undefined;
  if (TOO_LONG.test(words)) return 'too_long';
  if (NO_QUOTA.test(words)) return 'no_quota';
  if (status === 403) return NOT_ALLOWED.test(words) ? 'not_allowed' : undefined;
  if (NO_ACCESS.test(words)) return 'no_access';
  return NO_MODEL.test(words) ? 'no_model' : undefined;
}

// "Quota" also stands in what a limit per minute says; then a time to wait stands beside it. Google names a quota that lasts a
// day beside a wait of seconds.
function subjectOfLimit(words: string, waitMs: number | undefined): Subject | undefined {
  if (/insufficient_quota|\wPerDay/i.test(words)) return 'no_quota';
  if (/request too large/i.test(words)) return 'too_long';
  return waitMs === undefined && NO_QUOTA_AT_LIMIT.test(words) ? 'no_quota' : undefined;
}

const UNIT_MS: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const UNIT = '(ms|s|m|h)(?:ec(?:ond)?s?|in(?:ute)?s?|ours?)?';
const WAIT = new RegExp(`\\b(?:(?:re)?try (?:again )?|resets? )(?:in|after) ((?:\\d{1,9}(?:\\.\\d{1,9})?\\s?${UNIT})+)(?![a-z])`, 'i');

/** Milliseconds after which to try again, as words such as "Please try again in 1m12.5s" tell them. */
export function waitIn(words: string): number | undefined {
  const told = WAIT.exec(words)?.[1];
  if (told === undefined) return undefined;
  let totalMs = 0;
  for (const [, count, unit = ''] of told.matchAll(new RegExp(`([\\d.]+)\\s?${UNIT}`, 'gi'))) {
    totalMs += Number(count) * (UNIT_MS[unit.toLowerCase()] ?? 0);
  }
  return totalMs;
}
