/** A text without credentials, and how many were taken out. */
export interface Redacted {
  readonly text: string;
  readonly count: number;
}

/** What stands where a credential stood. */
export const REDACTED = '[redacted]';

// Every repetition that may be given up half-way is bounded, so that no text makes a pattern slow.
// Sources: the prefixes are those that the services document for their own keys. The forms in words are ours.

/** Runs to its end mark, or to the end of the text when that was cut off. */
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;

/** Keys that say by their own beginning what they are. */
const KEYS = new RegExp(
  [
    String.raw`\b(?:sk|pk|rk)[-_](?!learn\b)(?:[A-Za-z0-9_-]{6,}|[A-Za-z0-9]{3,})`,
    String.raw`\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}`,
    String.raw`\bxox[abeoprs]-[\w-]{10,}|\bA(?:KIA|SIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}`,
    String.raw`\bnpm_[A-Za-z0-9]{30,}|\bhf_[A-Za-z0-9]{20,}|\b\d{8,10}:[\w-]{35}(?![\w-])`,
    String.raw`\b(?:gsk|r8|sbp|whsec|shpat|shpss|lin_api|dckr_pat|dop_v1|doo_v1|pat)_[A-Za-z0-9_-]{20,}|\b(?:xai|pplx|tvly|nvapi)-[\w-]{16,}`,
    String.raw`\bya29\.[\w-]{20,}|\bSG\.[\w-]{16,64}\.[\w-]{16,}`,
    String.raw`\bhttps:\/\/hooks\.slack\.com\/[\w/]{20,}|\bhttps:\/\/(?:\w{1,10}\.)?discord(?:app)?\.com\/api\/webhooks\/\d{10,}\/[\w-]{10,}`,
    String.raw`\beyJ[\w-]{8,400}\.[\w-]{8,}\.[\w-]*`,
  ].join('|'),
  'g',
);

/** User and password in an address; the user may be left out. */
const IN_ADDRESS = /\b([a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@]{0,100}:)(?!\[redacted\])[^\s@/]{1,200}(?=@)/gi;

const BEARER =
  /(\bauthorization["']?\s{0,8}[:=]\s{0,8}["']?(?:bearer|basic)\s{1,8}|\bbearer\s{1,8}["'`]?(?=[\w.~+/=-]{8}))[\w.~+/=-]{4,}/gi;

const PASSWORD = 'pass(?:word|phrase|code|wd)s?|passw(?:o|ö)rte?r?|kennwort|pwd|contraseña|mot de passe|\\bpin(?:[ -]?code)?';
const KEY_NAME = '(?:api|access|secret|private|auth|client|account|signing|encryption)[ _-]?(?:key|token|secret)';
const NOTHING = '\\(?(?:none|null|undefined|nil|n\\/a|empty|missing|required|optional|string|number|true|false)\\)?(?:[\\s"\'`”,;]|$)';
// What follows a name and is not the credential itself: one that is out already, another name, a scheme, or a word for nothing.
const NOT_A_VALUE = `(?!["'\`“]?(?:\\[redacted\\]|${NOTHING})|(?:bearer|basic)\\s|(?:${PASSWORD}|${KEY_NAME}|secret|token)["']?\\s{0,8}(?:[:=]|(?:is|was)\\s))`;
const VALUE = '("[^"\\n]{3,100}"|\'[^\'\\n]{3,100}\'|`[^`\\n]{3,100}`|“[^”\\n]{3,100}”|["\'`“]?[^\\s"\'`“”,;]{3,})';

/** `api_key=abc`, `"password": "abc"`. */
const ASSIGNED = new RegExp(
  `((?:${PASSWORD}|${KEY_NAME}|secret|token)(?: for [\\w .-]{1,30}?)?["']?\\s{0,8}(?:=>|[:=])\\s{0,8})${NOT_A_VALUE}${VALUE}`,
  'gi',
);

const IS = '(?:is|are|was|ist|war|lautet|es|est)(?: now)?:?\\s{1,8}';
// "The password is in the drawer" gives nothing away.
const ORDINARY =
  'in|on|at|by|the|a|an|not|no|under|kept|stored|saved|set|wrong|weak|strong|expired|required|needed|unknown|still|now|too|very|never|' +
  'always|changed|reset|written|my|his|her|their|our|your|im|am|auf|unter|der|die|das|ein|eine|nicht|falsch|en|el|la|un|una|dans|le|les|une|sur|sous';
/** What is said of a key, where it does not stand in quotes as a value would. */
const STATE =
  'missing|valid|invalid|correct|incorrect|lost|empty|safe|hidden|gone|public|private|leaked|revoked|rotated|disabled|enabled|optional';
const NOT_ORDINARY = `(?!["'\`“]?(?:${ORDINARY})[.!?)]*(?:[\\s"'\`”,;]|$))(?!(?:${STATE})[.!?)]*(?:[\\s,;]|$))`;

/** `my password is abc`. What is called a secret or a token in prose counts only with a digit in it. */
const SAID = new RegExp(
  `((?:${PASSWORD}|${KEY_NAME}|(?:secret|token)(?=\\s+(?:is|was|ist|es|est)\\s+["'\`“]?[^\\s"'\`“”,;\\d]{0,100}\\d))(?: for [\\w .-]{1,30}?)?\\s{1,8}${IS})${NOT_A_VALUE}${NOT_ORDINARY}${VALUE}`,
  'gi',
);

/** `hunter2 is my password`: what stands in front counts only with a digit in it. */
const SAID_BEFORE = new RegExp(
  `(?<![^\\s"'\`“])[^\\s"'\`“”]{0,60}\\d[^\\s"'\`“”]{0,60}(?=["'\`”]?\\s(?:is|was|ist|war)\\s(?:my|our|mein|unser)\\s(?:${PASSWORD}))`,
  'gi',
);

/** The same in languages whose sentences have another order, or whose letters no other form expects. */
const SAID_ELSEWHERE = new RegExp(
  `((?:パスワード|密[码碼]|口令|비밀번호|парол[ья]|(?<!\\p{L})senha)\\s{0,4}(?:[:：=]\\s{0,4}|(?:是|为|為|は|은|는|é|—|-)\\s{0,4}(?=[!-~]{0,99}\\d)))${NOT_A_VALUE}[!-~]{4,100}`,
  'giu',
);

/**
 * Takes credentials out of a text before it is kept or sent on: keys of known shape, private keys, passwords in
 * addresses, and what is named a password, secret, key or token. Knows nothing of secrets that look like words.
 *
 * @returns The text with {@link REDACTED} in each one's place, unchanged when there was none. A second pass finds nothing.
 */
export function redactSecrets(text: string): Redacted {
  let count = 0;
  const whole = (): string => {
    count += 1;
    return REDACTED;
  };
  const afterHead = (_match: string, head: string): string => head + whole();
  const value = (_match: string, head: string, said: string): string => {
    const [opening = ''] = /^["'`“]/.exec(said) ?? [];
    const closing = opening && (/["'`”]$/.exec(said.slice(1))?.[0] ?? '');
    return head + opening + whole() + closing;
  };
  const result = text
    .replace(PRIVATE_KEY, whole)
    .replace(BEARER, afterHead)
    .replace(SAID, value)
    .replace(SAID_BEFORE, whole)
    .replace(ASSIGNED, value)
    .replace(SAID_ELSEWHERE, afterHead)
    .replace(IN_ADDRESS, afterHead)
    .replace(KEYS, whole);
  return { text: result, count };
}

/** True for a field or key under which a credential is kept, such as `apiKey` or `db_password`. */
export function namesSecret(name: string): boolean {
  return /(?:^|[_\s.-])(?:password|passwd|passphrase|pwd|secret|token|credentials?|(?:api|access|private)[_\s-]?key)$/i.test(
    name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'),
  );
}
