/** How much an issue weighs: an error makes a persona invalid, a warning degrades it, a suggestion does neither. */
export type Severity = 'error' | 'warning' | 'suggestion';

/** One thing that is wrong with a persona, or could be better. */
export interface PersonaIssue {
  /** Stable; branch on this. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** Where, such as `metaPrompts[2].trigger.intervalTurns`; `''` for the whole. */
  readonly path: string;
}

/** Collects issues; what the checks write to. */
export type Report = (code: string, severity: Severity, path: string, message: string) => void;

/** A persona as it comes: nothing is known of its fields yet. */
export type Raw = { readonly [key: string]: unknown };

export const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value);
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** A text as it is, everything else as one that names nothing: not every value can be made a text. */
export const asWord = (value: unknown): string => (typeof value === 'string' ? value : '');
export const asRaws = (value: unknown): readonly (readonly [item: Raw, index: number])[] =>
  asList(value).flatMap((item, index): (readonly [Raw, number])[] => (isRaw(item) ? [[item, index]] : []));

/** BCP 47, as far as its form goes: `en`, `en-US`, `zh-Hant-TW`. */
export const isLanguageTag = (value: unknown): boolean => typeof value === 'string' && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/.test(value);
