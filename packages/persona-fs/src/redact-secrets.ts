/** A text without credentials, and how many were taken out. */
export interface Redacted {
  readonly text: string;
  readonly count: number;
}

export const REDACTED = '[redacted]';

// Sources: the prefixes are those that the providers document for their own keys. The shapes without a prefix are ours.
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\bsk-(?:proj-|ant-|or-|live-|test-)?[A-Za-z0-9_-]{6,}/g,
  /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\b\d{8,10}:[A-Za-z0-9_-]{35}\b/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
];

// The value of a field that says it is secret. The first group stays. Bounded, so that no text makes them slow.
const FIELDS: readonly RegExp[] = [
  /\b([a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@]{1,100}:)(?!\[redacted\])[^\s@/]{1,200}(?=@)/gi,
  /\b((?:authorization\s*:\s*)?bearer\s+)[A-Za-z0-9._~+/=-]{12,}/gi,
  /\b((?:[\w-]{0,30}(?:password|passwd|passphrase|passwort|secret|api[ _-]?key|access[ _-]?key|token)|pwd|pin(?:[ -]?code)?)["']?\s*(?:=|:)\s*["']?)(?!\[redacted\])[^\s"',;]{3,}/gi,
  /\b((?:password|passwd|passphrase|passwort|api[ _-]?key|access[ _-]?token|pin(?:[ -]?code)?)\s+(?:is|ist|was|lautet)\s+["'“]?)(?!\[redacted\]|(?:in|on|at|by|the|a|an|not|no|under|kept|stored|saved|set|wrong|weak|strong|expired|required|needed|unknown|still|now|too|very|never|always|changed|reset|written|on|my|his|her|their|our|your)\b)[^\s"'”,;]{3,}/gi,
];

/**
 * Takes credentials out of a text before it is kept: keys of known shape, private keys, passwords in addresses, and
 * what is named a password, secret, key or token. Knows nothing of secrets that look like words.
 *
 * @returns The text with {@link REDACTED} in each one's place. A text without any comes back unchanged.
 */
export function redactSecrets(text: string): Redacted {
  let count = 0;
  let result = text;
  for (const shape of SHAPES) {
    result = result.replace(shape, () => {
      count += 1;
      return REDACTED;
    });
  }
  for (const field of FIELDS) {
    result = result.replace(field, (_match, kept: string) => {
      count += 1;
      return `${kept}${REDACTED}`;
    });
  }
  return { text: result, count };
}
