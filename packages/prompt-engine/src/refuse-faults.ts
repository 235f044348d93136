import type { ElementFault } from '@x/core';
import { CriteriaInvalidError, ElementInvalidError, PatternUnsafeError } from './errors.js';

const ERRORS = { element_invalid: ElementInvalidError, criteria_invalid: CriteriaInvalidError, pattern_unsafe: PatternUnsafeError };

/** @throws {@link ElementInvalidError}, {@link CriteriaInvalidError}, {@link PatternUnsafeError} the first fault. */
export function refuseFaults([first]: readonly ElementFault[]): void {
  if (first) throw new ERRORS[first.code](first);
}
