import { criteriaFaults, type ElementFault, type FaultOptions, hasKeys } from './criteria-faults.js';
import { isForbiddenKey } from './json.js';
import type { ContextualPromptElement } from './persona.js';
import { ContextualElementType } from './vocabulary.js';

const TYPES: readonly unknown[] = Object.values(ContextualElementType);
const KNOWN: readonly (keyof ContextualPromptElement)[] = ['id', 'type', 'content', 'criteria', 'priority', 'group'];

/**
 * What keeps a persona's elements from being used, in the order of the list. Takes anything.
 *
 * @returns Nothing for elements that the prompt engine takes.
 */
export function elementFaults(
  elements: unknown,
  { path = 'contextualPromptElements', ...options }: FaultOptions & { readonly path?: string | undefined } = {},
): readonly ElementFault[] {
  if (!Array.isArray(elements)) return [{ code: 'element_invalid', path, problem: 'must be a list' }];
  return Array.from(elements, (element, index) => faultsOf(element, `${path}[${index}]`, options)).flat();
}

function faultsOf(element: unknown, path: string, options: FaultOptions): readonly ElementFault[] {
  const faults: ElementFault[] = [];
  const tell = (at: string, problem: string): void => void faults.push({ code: 'element_invalid', path: at, problem });
  if (!hasKeys(element, KNOWN, path, tell)) return faults;
  const { id, type, content, priority, group, criteria } = element;
  if (!TYPES.includes(type)) tell(`${path}.type`, `must be one of ${TYPES.join(', ')}`);
  if (typeof content !== 'string' || content.trim() === '') tell(`${path}.content`, 'must be a text that is not blank');
  if (priority !== undefined && !Number.isFinite(priority)) tell(`${path}.priority`, 'must be a finite number');
  for (const [name, value] of Object.entries({ id, group })) {
    if (value !== undefined && (typeof value !== 'string' || value.trim() === '' || isForbiddenKey(value)))
      tell(`${path}.${name}`, 'must be a text that is not blank and no name of a prototype');
  }
  return criteria === undefined ? faults : [...faults, ...criteriaFaults(criteria, `${path}.criteria`, options)];
}
