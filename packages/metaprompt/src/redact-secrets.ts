// Shapes of credentials that carry their own mark, and the words after which people write one down.
const SHAPES: readonly RegExp[] = [
  /\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]{1,12}[-_]){0,3}[A-Za-z0-9]{3,}[A-Za-z0-9_-]*/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\bA(?:KIA|SIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]{0,8000}?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
const BEARER = /\b(bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi;
const IN_ADDRESS = /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{1,100}:)[^\s@/]{1,200}(@)/gi;
const NAMED =
  /\b(password|passwd|passphrase|pwd|secret|api[_ -]?key|access[_ -]?key|auth[_ -]?token|access[_ -]?token|token|pin)(["']?\s{0,3}(?:is\s|are\s|=|:)\s{0,3})(["']?)([^\s"',;]{3,200})/gi;

/** True for a field or key under which a credential is kept, such as `apiKey` or `db_password`. */
export function namesSecret(name: string): boolean {
  return /(?:^|[_\s.-])(?:password|passwd|passphrase|pwd|secret|token|credentials?|api[_\s-]?key|access[_\s-]?key|private[_\s-]?key)$/i.test(
    name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'),
  );
}

/** What stands in the place of a credential. */
export const REDACTED = '[redacted]';

/**
 * Replaces what looks like a credential by `[redacted]`: keys with a known shape, private keys, bearer tokens,
 * passwords in addresses, and whatever stands after "password is", "api_key=" and the like.
 */
export function redactSecrets(text: string): string {
  let safe = text;
  for (const shape of SHAPES) safe = safe.replace(shape, REDACTED);
  return safe
    .replace(BEARER, (_whole, head: string) => head + REDACTED)
    .replace(IN_ADDRESS, (_whole, head: string, tail: string) => head + REDACTED + tail)
    .replace(NAMED, (_whole, name: string, link: string, quote: string) => name + link + quote + REDACTED);
}
