/** A value of the state, for people. */
export function inWords(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
