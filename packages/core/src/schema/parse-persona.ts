import { AgentosError } from '../errors.js';
import type { IPersonaDefinition } from '../persona.js';
import type { PersonaIssue } from './persona-issue.js';
import { personaShape } from './persona-shape.js';
import { validatePersona } from './validate-persona.js';

/** A persona has errors; `issues` lists all of them, warnings included. */
export class PersonaInvalidError extends AgentosError {
  override readonly name = 'PersonaInvalidError';
  readonly code = 'persona_invalid';
  readonly retryable = false;
  readonly issues: readonly PersonaIssue[];
  /** @param which - What the message calls it, where there are several. */
  constructor(issues: readonly PersonaIssue[], which = 'The persona') {
    const errors = issues.filter(({ severity }) => severity === 'error');
    const shown = errors.slice(0, 3).map(({ path, message }) => `${path || 'persona'}: ${message}`);
    super(`${which} has ${errors.length} error${errors.length === 1 ? '' : 's'}. ${shown.join(' ')}`);
    this.issues = issues;
  }
}

/**
 * Turns anything into a persona, or says all that is wrong with it. `description` may be absent; validation reports
 * that, but such a persona runs.
 *
 * @returns A copy of the input; fields that no part of this system reads are kept.
 * @throws {@link PersonaInvalidError} with `issues`.
 */
export function parsePersona(input: unknown): IPersonaDefinition {
  const { issues } = validatePersona(input);
  const blocking = issues.filter(({ severity, path }) => severity === 'error' && path !== 'description');
  const shape = personaShape.safeParse(input);
  if (blocking.length > 0 || !shape.success) throw new PersonaInvalidError(issues);
  return shape.data;
}
