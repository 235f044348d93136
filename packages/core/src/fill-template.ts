/**
 * Puts values into a template in a single pass: a value that looks like a placeholder, or like a replacement pattern
 * such as `$&`, stays what it is.
 *
 * @param template - Placeholders are `{{name}}`, blanks around the name allowed.
 * @param valueFor - Called at each placeholder.
 */
export function fillTemplate(template: string, valueFor: (name: string) => string): string {
  return template.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_whole, name: string) => valueFor(name));
}
