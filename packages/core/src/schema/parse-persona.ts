import { AgentosError } from '../errors.js';
import type { IPersonaDefinition } from '../persona.js';
import type { PersonaIssue } from './persona-issue.js';
import { readShape } from './persona-shape.js';
import { validatePersona } from './validate-persona.js';

/** A persona has errors; `issues` lists all of them, warnings included. */
export class PersonaInvalidError extends AgentosError {
  override readonly name = 'PersonaInvalidError';
  readonly code = 'persona_invalid';
  readonly retryable = false;
  readonly issues: readonly PersonaIssue[];
  constructor(issues: readonly PersonaIssue[], which = 'The persona') {
    const blocking = issues.filter(blocks);
    // A description of the wrong type may be all there is.
    const told = blocking.length > 0 ? blocking : issues.filter(({ severity }) => severity === 'error');
    const shown = told.slice(0, 3).map(({ path, message }) => `${path || 'persona'}: ${message}`);
    super(`${which} has ${told.length} error${told.length === 1 ? '' : 's'}. ${shown.join(' ')}`);
    this.issues = issues;
  }
}

/** A persona without a description runs. */
function blocks({ severity, path }: PersonaIssue): boolean {
  return severity === 'error' && path !== 'description';
}

/**
 * Turns anything into a persona, or says all that is wrong with it. `description` may be absent; validation reports
 * that, but such a persona runs.
 *
 * @param options.which - What the message calls it, where there are several.
 * @returns A copy of the input; fields that no part of this system reads are kept.
 * @throws {@link PersonaInvalidError} with `issues`.
 */
export function parsePersona(input: unknown, { which }: { readonly which?: string | undefined } = {}): IPersonaDefinition {
  const { issues } = validatePersona(input);
  const shape = readShape(input);
  if (issues.some(blocks) || !shape.success) throw new PersonaInvalidError(issues, which);
  return shape.data;
}
