import { fillTemplate, ownValue } from '@x/core';
import { TemplateInvalidError } from './errors.js';

/**
 * Puts values into a template in a single pass: a value that looks like a placeholder, or like a replacement pattern
 * such as `$&`, stays what it is. Only the template is read as one; give it a source you trust, never user text.
 *
 * @param template - Placeholders are `{{name}}`, blanks around the name allowed.
 * @throws {@link TemplateInvalidError} a placeholder has no value.
 * @example renderTemplate('Hello {{name}}', { name: '{{name}}' }); // 'Hello {{name}}'
 */
export function renderTemplate(template: string, variables: { readonly [name: string]: string }): string {
  return fillTemplate(template, (variable) => {
    const value: unknown = ownValue(variables, variable);
    if (value === undefined || value === null) throw new TemplateInvalidError({ variable });
    return String(value);
  });
}
