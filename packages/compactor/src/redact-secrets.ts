/** What stands where a credential stood. */
export const REDACTED = '[redacted]';

/** Prefixes of keys that services hand out, and forms that are secret by their nature. */
const KEYS =
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{6,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abposr]-[\w-]{10,}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bnpm_[A-Za-z0-9]{30,}|\bhf_[A-Za-z0-9]{20,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
/** "password is hunter2", "api_key=abc", "Authorization: Bearer abc". */
const NAMED =
  /\b((?:(?:[\w-]*(?:password|passwort|passphrase|passwd|pwd)|(?:api|access|secret|private|auth)[ _-]?(?:key|token)|client[ _-]?secret|contraseña|mot de passe)(?: for [\w .-]{1,30}?)?["']?(?:\s*[:=]\s*|\s+(?:is|was|ist|es|est)(?: now)?:?\s+)|\bbearer\s+)["'`]?)([^\s"'`,;]{4,})/gi;
/** The user and password in a link. */
const IN_LINK = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]{1,64}:)([^\s@/]{1,128})(@)/gi;

/** A cheap look before the expensive ones: most text has none of these. */
const MAYBE =
  /pass|pwd|key|token|secret|bearer|contrase|:\/\/|sk[-_]|pk[-_]|rk[-_]|gh[pousr]_|github_pat|glpat|xox|AKIA|ASIA|AIza|npm_|hf_|eyJ|PRIVATE/i;

/** The text with credentials replaced by `[redacted]`; the same string when there are none. */
export function redactSecrets(text: string): string {
  if (!MAYBE.test(text)) return text;
  return text
    .replace(KEYS, REDACTED)
    .replace(IN_LINK, `$1${REDACTED}$3`)
    .replace(NAMED, (whole: string, name: string, value: string) => (value.startsWith(REDACTED) ? whole : `${name}${REDACTED}`));
}
