import { elementFaults } from '../element-faults.js';
import {
  ContextualElementType,
  GMIMood,
  parseMood,
  parseSkillLevel,
  parseTaskComplexity,
  SKILL_LEVELS,
  TASK_COMPLEXITIES,
} from '../vocabulary.js';
import { didYouMean } from './did-you-mean.js';
import { asList, asRaws, asWord, isLanguageTag, isRaw, type Raw, type Report } from './persona-issue.js';

export interface ElementOptions {
  /** Names of the predicates that the host gives to the prompt engine; when not given, any name will do. */
  readonly knownPredicates?: readonly string[] | undefined;
}

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
/** Criteria inside criteria that are looked at; deeper ones are a fault already. */
const MAX_DEPTH = 20;
const TYPES: readonly string[] = Object.values(ContextualElementType);

/**
 * Checks contextual elements: all that would keep the prompt engine from taking them is an error, and what it takes but
 * can never match a warning.
 */
export function checkElements(persona: Raw, report: Report, { knownPredicates }: ElementOptions = {}): void {
  const elements = persona.contextualPromptElements;
  if (elements === undefined) return;
  const named = new Set<string>();
  const tell: Report = (code, severity, path, message) => {
    named.add(path);
    report(code, severity, path, message);
  };
  if (!Array.isArray(elements)) tell('invalid_field_type', 'error', 'contextualPromptElements', 'contextualPromptElements must be a list.');
  const seen = new Set<unknown>();
  for (const [element, index] of asRaws(elements)) checkElement(element, `contextualPromptElements[${index}]`, seen, tell);
  const predicates = knownPredicates && new Set(knownPredicates);
  for (const { code, path, problem } of elementFaults(elements, { predicates })) {
    const last = path.slice(path.lastIndexOf('.') + 1);
    if (!named.has(path)) report(code, 'error', path, `${last} ${problem}.`);
  }
}

function checkElement(element: Raw, path: string, seen: Set<unknown>, report: Report): void {
  const { id, type, content } = element;
  if (id !== undefined && seen.has(id)) report('duplicate_element_id', 'warning', `${path}.id`, 'Two elements share this id.');
  seen.add(id);
  if (!TYPES.includes(asWord(type)))
    report('unknown_element_type', 'error', `${path}.type`, `There is no such element type.${didYouMean(asWord(type), TYPES)}`);
  if (typeof content !== 'string' || content.trim() === '')
    report('empty_element', 'error', `${path}.content`, 'An element needs a content that is text.');
  if (element.criteria !== undefined) checkCriteria(element.criteria, `${path}.criteria`, report, 0);
}

function checkCriteria(criteria: unknown, path: string, report: Report, depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (!isRaw(criteria)) return report('invalid_field_type', 'error', path, 'criteria must be an object.');
  const dead = (field: string, why: string): void =>
    report('element_never_matches', 'warning', `${path}.${field}`, `${why} The element can never match.`);
  for (const [field, wanted] of Object.entries(criteria)) {
    if (!CRITERIA.includes(field))
      report('unknown_criterion', 'error', `${path}.${field}`, `There is no such criterion.${didYouMean(field, CRITERIA)}`);
    else if (field === 'not' && wanted !== undefined) checkCriteria(wanted, `${path}.not`, report, depth + 1);
    else if (field === 'anyOf')
      asList(wanted).forEach((choice, index) => void checkCriteria(choice, `${path}.anyOf[${index}]`, report, depth + 1));
    else if (wanted !== undefined) checkCriterion(field, wanted, dead);
  }
}

type Dead = (field: string, why: string) => void;

/** What can be read and still never holds; what cannot be read is a fault and left to `elementFaults`. */
function checkCriterion(field: string, wanted: unknown, dead: Dead): void {
  if (field === 'mood') words(field, wanted, parseMood, Object.values(GMIMood), dead);
  else if (field === 'userSkillLevel') words(field, wanted, parseSkillLevel, SKILL_LEVELS, dead);
  else if (field === 'taskComplexity') words(field, wanted, parseTaskComplexity, TASK_COMPLEXITIES, dead);
  else if (field === 'language')
    words(field, wanted, (word) => (isLanguageTag(asWord(word).replaceAll('_', '-')) ? word : undefined), ['en', 'de', 'fr'], dead);
  else if (field === 'sentimentScore') range(field, wanted, -1, 1, dead);
  else if (field === 'turn') range(field, wanted, 1, Number.POSITIVE_INFINITY, dead);
  else if (field === 'traits')
    for (const [name, bounds] of Object.entries(isRaw(wanted) ? wanted : {})) range(`traits.${name}`, bounds, 0, 1, dead);
  else if (field === 'text' && isRaw(wanted) && wanted.probability === 0) dead('text.probability', 'The probability is 0.');
}

function words(field: string, wanted: unknown, read: (word: unknown) => unknown, known: readonly string[], dead: Dead): void {
  const all = typeof wanted === 'string' ? [wanted] : asList(wanted);
  if (all.length === 0 || !all.every((word) => typeof word === 'string' && word.trim() !== '')) return;
  if (all.every((word) => read(word) === undefined)) dead(field, `There is no such value.${didYouMean(asWord(all[0]), known)}`);
}

function range(field: string, wanted: unknown, min: number, max: number, dead: Dead): void {
  const { min: low = Number.NEGATIVE_INFINITY, max: high = Number.POSITIVE_INFINITY } = isRaw(wanted) ? wanted : {};
  if (typeof low !== 'number' || typeof high !== 'number' || low > high) return;
  if (low > max || high < min) dead(field, `No number from ${min} to ${max} lies within these bounds.`);
}
