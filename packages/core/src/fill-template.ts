/**
 * Puts values into a template in a single pass: a value that looks like a placeholder, or like a replacement pattern
 * such as `$&`, stays what it is.
 *
 * @param template - Placeholders are `{{name}}`, blanks around the name allowed; a name may be in any script.
 * @param valueFor - Called at each placeholder.
 */
export function fillTemplate(template: string, valueFor: (name: string) => string): string {
  return template.replace(/\{\{\s*([\p{L}\p{M}\p{N}_.-]+)\s*\}\}/gu, (_whole, name: string) => valueFor(name));
}
