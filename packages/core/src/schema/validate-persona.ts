import { checkAdaptation } from './check-adaptation.js';
import { checkElements, type ElementOptions } from './check-elements.js';
import { checkIdentity, type IdentityOptions } from './check-identity.js';
import { asList, isRaw, type PersonaIssue, type Raw, type Report } from './persona-issue.js';
import { isPersonaField, readShape } from './persona-shape.js';

export interface ValidatePersonaOptions extends IdentityOptions, ElementOptions {
  /** Report top-level fields that no part of this system reads, as warnings. Default false. */
  readonly strict?: boolean | undefined;
  /** Default false. */
  readonly treatWarningsAsErrors?: boolean | undefined;
  /** Codes that make a persona invalid whatever their severity; errors still do. */
  readonly blockOnCodes?: readonly string[] | undefined;
}

export interface PersonaValidation {
  /** `invalid`: do not run it; the prompt engine would not take it either. `degraded`: it runs, but some of it has no effect. */
  readonly status: 'valid' | 'degraded' | 'invalid';
  readonly issues: readonly PersonaIssue[];
}

/**
 * Checks a persona and says everything that is wrong with it at once. Takes anything; never throws.
 */
export function validatePersona(persona: unknown, options: ValidatePersonaOptions = {}): PersonaValidation {
  const issues: PersonaIssue[] = [];
  const report = (code: string, severity: PersonaIssue['severity'], path: string, message: string): void =>
    void issues.push({ code, severity, message, path });
  const unreadable = (path: string, message: string): void => report('invalid_field_type', 'error', path, message);
  if (!isRaw(persona)) unreadable('', 'A persona is an object with id, name, description, version and baseSystemPrompt.');
  else
    try {
      checkAll(persona, report, issues, options);
    } catch {
      // A getter that throws, or a value that holds itself.
      unreadable('', 'The persona cannot be read through. Make it of plain values, as JSON holds them.');
    }
  return { status: statusOf(issues, options), issues };
}

function checkAll(persona: Raw, report: Report, issues: PersonaIssue[], options: ValidatePersonaOptions): void {
  checkIdentity(persona, report, options);
  checkAdaptation(persona, report);
  checkElements(persona, report, options);
  checkShape(persona, issues);
  for (const field of options.strict ? Object.keys(persona) : []) {
    if (!isPersonaField(field)) report('unknown_field', 'warning', field, 'No part of this system reads this field.');
  }
}

/** As {@link validatePersona} for several, each alone, plus keywords that two of them claim. Results are in the order of the input. */
export function validatePersonas(personas: readonly unknown[], options: ValidatePersonaOptions = {}): readonly PersonaValidation[] {
  const owners = new Map<string, number[]>();
  personas.forEach((persona, index) => {
    const keywords = isRaw(persona) ? asList(persona.activationKeywords) : [];
    for (const word of new Set(keywords.filter((item) => typeof item === 'string').map((item) => item.toLowerCase())))
      owners.set(word, [...(owners.get(word) ?? []), index]);
  });
  return personas.map((persona, index) => {
    const clashes = [...owners.values()].filter((indices) => indices.length > 1 && indices.includes(index)).length;
    const { issues } = validatePersona(persona, options);
    if (clashes === 0) return { status: statusOf(issues, options), issues };
    const message = `${clashes} of the keywords also activate another persona.`;
    const all: readonly PersonaIssue[] = [
      ...issues,
      { code: 'activation_keyword_conflict', severity: 'warning', message, path: 'activationKeywords' },
    ];
    return { status: statusOf(all, options), issues: all };
  });
}

// What the rules above have not named: a field of the wrong type, found by the schema.
function checkShape(persona: object, issues: PersonaIssue[]): void {
  const result = readShape(persona);
  for (const issue of result.success ? [] : result.error.issues) {
    const path = issue.path.reduce<string>(
      (at, key) => (typeof key === 'number' ? `${at}[${key}]` : at ? `${at}.${String(key)}` : String(key)),
      '',
    );
    const named = issues.some(
      // A warning is no excuse: the schema refuses the persona whole.
      ({ path: known, severity }) =>
        severity === 'error' &&
        (known === path || known.startsWith(`${path}.`) || known.startsWith(`${path}[`) || (known !== '' && path.startsWith(`${known}.`))),
    );
    if (!named) issues.push({ code: 'invalid_field_type', severity: 'error', message: issue.message, path });
  }
}

function statusOf(
  issues: readonly PersonaIssue[],
  { treatWarningsAsErrors = false, blockOnCodes = [] }: ValidatePersonaOptions,
): PersonaValidation['status'] {
  const blocks = ({ code, severity }: PersonaIssue): boolean =>
    severity === 'error' || (severity === 'warning' && treatWarningsAsErrors) || blockOnCodes.includes(code);
  if (issues.some(blocks)) return 'invalid';
  return issues.some(({ severity }) => severity === 'warning') ? 'degraded' : 'valid';
}
