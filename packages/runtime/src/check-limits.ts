/**
 * What is wrong with limits that a host gave; `undefined` when nothing is. A limit that is no number would hold nobody:
 * no count is at or above it.
 */
export function limitsProblem(limits: object): string | undefined {
  for (const [name, value] of Object.entries(limits)) {
    if (value !== undefined && !(typeof value === 'number' && value >= 0)) return `${name} must be a number from 0, or left out`;
  }
  return undefined;
}
