/**
 * An id as it stands in a column: as it is, except that what a database's text cannot hold or would change (NUL, halves
 * of a surrogate pair, and the backslash that says so) is escaped. Different ids never become equal.
 */
export function idText(id: string): string {
  return JSON.stringify(id).slice(1, -1).replaceAll('\\"', '"');
}

/** The id that {@link idText} wrote. */
export function idOf(text: string): string {
  return JSON.parse(`"${text.replaceAll('"', '\\"')}"`) as string;
}
