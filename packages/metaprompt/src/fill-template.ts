import type { MetaPromptDefinition } from '@x/core';

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** The text of a metaprompt's template, whichever way it was written. */
export function templateOf({ promptTemplate }: Pick<MetaPromptDefinition, 'promptTemplate'>): string {
  return typeof promptTemplate === 'string' ? promptTemplate : promptTemplate.template;
}

/** The names in a template, in lower case, as often as they occur. */
export function placeholdersOf(template: string): readonly string[] {
  return Array.from(template.matchAll(PLACEHOLDER), (match) => (match[1] ?? '').toLowerCase());
}

/**
 * Fills a template in one pass: what is inserted is never read again, so neither `{{names}}` nor `$&` inside a value
 * mean anything. Names are compared without regard to case; spaces inside the braces are allowed.
 *
 * @param fill - Called once for each name that occurs; `undefined` leaves the placeholder as it is.
 */
export function fillTemplate(template: string, fill: (name: string) => string | undefined): string {
  const values = new Map<string, string | undefined>();
  return template.replace(PLACEHOLDER, (whole, written: string) => {
    const name = written.toLowerCase();
    if (!values.has(name)) values.set(name, fill(name));
    return values.get(name) ?? whole;
  });
}
