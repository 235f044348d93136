import {
  ContextualElementType,
  GMIMood,
  parseMood,
  parseSkillLevel,
  parseTaskComplexity,
  SKILL_LEVELS,
  TASK_COMPLEXITIES,
  TRAIT_NAMES,
} from '../vocabulary.js';
import { didYouMean } from './did-you-mean.js';
import { asList, asRaws, isLanguageTag, isRaw, type Raw, type Report } from './persona-issue.js';

const CRITERIA = [
  'mood',
  'userSkillLevel',
  'taskHint',
  'taskComplexity',
  'language',
  'conversationSignals',
  'sentimentScore',
  'turn',
  'traits',
  'predicate',
  'text',
  'not',
  'anyOf',
];
const TYPES: readonly string[] = Object.values(ContextualElementType);

/** Checks contextual elements: their types, and whether each can ever match. */
export function checkElements(persona: Raw, report: Report): void {
  const seen = new Set<unknown>();
  const elements = persona.contextualPromptElements;
  if (elements !== undefined && !Array.isArray(elements))
    report('invalid_field_type', 'error', 'contextualPromptElements', 'contextualPromptElements must be a list.');
  for (const [element, index] of asRaws(elements)) {
    const path = `contextualPromptElements[${index}]`;
    const id = element.id;
    if (id !== undefined && seen.has(id)) report('duplicate_element_id', 'warning', `${path}.id`, 'Two elements share this id.');
    seen.add(id);
    if (!TYPES.includes(String(element.type)))
      report('unknown_element_type', 'error', `${path}.type`, `There is no such element type.${didYouMean(String(element.type), TYPES)}`);
    if (typeof element.content !== 'string' || element.content.trim() === '')
      report('empty_element', 'error', `${path}.content`, 'An element needs a content that is text.');
    if (element.criteria !== undefined) checkCriteria(element.criteria, `${path}.criteria`, report);
  }
}

function checkCriteria(criteria: unknown, path: string, report: Report): void {
  if (!isRaw(criteria)) return report('invalid_field_type', 'error', path, 'criteria must be an object.');
  const dead = (field: string, why: string): void =>
    report('element_never_matches', 'warning', `${path}.${field}`, `${why} The element can never match.`);
  for (const [field, wanted] of Object.entries(criteria)) {
    if (!CRITERIA.includes(field))
      report('unknown_criterion', 'error', `${path}.${field}`, `There is no such criterion.${didYouMean(field, CRITERIA)}`);
    else if (wanted !== undefined) checkCriterion(field, wanted, path, report, dead);
  }
}

type Dead = (field: string, why: string) => void;

function checkCriterion(field: string, wanted: unknown, path: string, report: Report, dead: Dead): void {
  if (field === 'mood') words(field, wanted, parseMood, Object.values(GMIMood), dead);
  else if (field === 'userSkillLevel') scale(field, wanted, parseSkillLevel, SKILL_LEVELS, dead);
  else if (field === 'taskComplexity') scale(field, wanted, parseTaskComplexity, TASK_COMPLEXITIES, dead);
  else if (field === 'language') words(field, wanted, (word) => (isLanguageTag(word) ? word : undefined), ['en', 'de', 'fr'], dead);
  else if (field === 'sentimentScore') range(field, wanted, -1, 1, dead);
  else if (field === 'turn') range(field, wanted, 1, Number.POSITIVE_INFINITY, dead);
  else if (field === 'traits') traits(wanted, dead);
  else if (field === 'text') text(wanted, path, report, dead);
  else if (field === 'not') checkCriteria(wanted, `${path}.not`, report);
  else if (field === 'anyOf') {
    if (asList(wanted).length === 0) dead('anyOf', 'The list is empty.');
    asList(wanted).forEach((choice, index) => void checkCriteria(choice, `${path}.anyOf[${index}]`, report));
  } else if (asList(wanted).length === 0 && Array.isArray(wanted) && field !== 'conversationSignals') dead(field, 'The list is empty.');
}

function words(field: string, wanted: unknown, read: (word: unknown) => unknown, known: readonly string[], dead: Dead): void {
  const all = Array.isArray(wanted) ? wanted : [wanted];
  if (all.length === 0) dead(field, 'The list is empty.');
  else if (all.every((word) => read(word) === undefined)) dead(field, `There is no such value.${didYouMean(String(all[0]), known)}`);
}

function scale(field: string, wanted: unknown, read: (word: unknown) => string | undefined, known: readonly string[], dead: Dead): void {
  if (!isRaw(wanted)) return words(field, wanted, read, known, dead);
  const rank = (bound: unknown, open: number): number => (bound === undefined ? open : known.indexOf(read(bound) ?? ''));
  const low = rank(wanted.atLeast, 0);
  const high = rank(wanted.atMost, known.length - 1);
  if (low < 0 || high < 0) dead(field, `A bound is not on the scale ${known.join(' < ')}.`);
  else if (low > high) dead(field, 'atLeast is above atMost.');
}

function range(field: string, wanted: unknown, min: number, max: number, dead: Dead): void {
  const { min: low = min, max: high = max } = isRaw(wanted) ? wanted : { min: Number.NaN };
  if (typeof low !== 'number' || typeof high !== 'number' || Number.isNaN(low) || Number.isNaN(high))
    dead(field, 'Bounds must be numbers.');
  else if (low > high || low > max || high < min) dead(field, `No number from ${min} to ${max} lies within these bounds.`);
}

function traits(wanted: unknown, dead: Dead): void {
  for (const [name, bounds] of Object.entries(isRaw(wanted) ? wanted : {})) {
    if (!(TRAIT_NAMES as readonly string[]).includes(name))
      dead(`traits.${name}`, `There is no such trait.${didYouMean(name, TRAIT_NAMES)}`);
    else range(`traits.${name}`, bounds, 0, 1, dead);
  }
}

function text(wanted: unknown, path: string, report: Report, dead: Dead): void {
  if (!isRaw(wanted)) return report('invalid_field_type', 'error', `${path}.text`, 'text must be { keys, … }.');
  if (asList(wanted.keys).filter((key) => typeof key === 'string' && key.trim() !== '').length === 0)
    dead('text.keys', 'There is no key to look for.');
  if (wanted.probability === 0) dead('text.probability', 'The probability is 0.');
}
