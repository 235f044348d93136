/** What a trace may say of an error: its code, else its name. Never the message, which may hold text of the user. */
export function nameOfError(error: unknown): string {
  const { code, name } = (typeof error === 'object' && error !== null ? error : {}) as { readonly code?: unknown; readonly name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : typeof error;
}
