import { checkPattern, isPattern } from './check-pattern.js';
import type { ElementCriteria, TextCriteria } from './persona.js';
import { parseSkillLevel, parseTaskComplexity, SKILL_LEVELS, TASK_COMPLEXITIES, TRAIT_NAMES } from './vocabulary.js';

/** Why an element cannot be used. */
export interface ElementFault {
  readonly code: 'element_invalid' | 'criteria_invalid' | 'pattern_unsafe';
  /** Where, such as `criteria.userSkillLevel.atLeast`. */
  readonly path: string;
  /** What is wrong: the end of a sentence that begins with the path. */
  readonly problem: string;
}

export interface FaultOptions {
  /** Names of the predicates that there are; when not given, any name will do. */
  readonly predicates?: ReadonlySet<string> | undefined;
}

/** Criteria inside criteria that are read; deeper ones, as in a cycle, are a fault. The figure is ours. */
const MAX_DEPTH = 20;

/**
 * What is wrong with criteria, first of all what keeps them from being read: an unknown field, a wrong type, a bound
 * that is not on its scale, a pattern that could take very long. Strict, because an ignored condition would put text
 * into prompts where it does not belong. Takes anything.
 */
export function criteriaFaults(criteria: unknown, path: string, { predicates }: FaultOptions = {}): readonly ElementFault[] {
  const faults: ElementFault[] = [];
  const tell: Tell = (at, problem, code = 'criteria_invalid') => void faults.push({ code, path: at, problem });
  checkCriteria(criteria, { path, tell, predicates, depth: 0 });
  return faults;
}

type Tell = (path: string, problem: string, code?: ElementFault['code']) => void;

interface Place {
  readonly path: string;
  readonly tell: Tell;
  readonly predicates: ReadonlySet<string> | undefined;
  /** 0 for the criteria of an element itself, more inside `not` and `anyOf`. */
  readonly depth: number;
}

function checkCriteria(criteria: unknown, place: Place): void {
  const { path, tell, predicates, depth } = place;
  if (depth > MAX_DEPTH) return tell(path, `is nested deeper than ${MAX_DEPTH} criteria`);
  if (!hasKeys(criteria, Object.keys(CHECKS), path, tell)) return;
  for (const [key, check] of Object.entries(CHECKS)) {
    const value = criteria[key];
    if (value !== undefined) check(value, { path: `${path}.${key}`, tell, predicates, depth });
  }
}

type Check = (value: unknown, place: Place) => void;

const CHECKS: { readonly [K in keyof ElementCriteria]-?: Check } = {
  mood: checkWords,
  userSkillLevel: (value, place) => (isRecord(value) ? checkScale(value, place, SKILL_LEVELS, parseSkillLevel) : checkWords(value, place)),
  taskHint: checkWords,
  taskComplexity: (value, place) =>
    isRecord(value) ? checkScale(value, place, TASK_COMPLEXITIES, parseTaskComplexity) : checkWords(value, place),
  language: checkWords,
  conversationSignals: (value, place) => {
    if (!Array.isArray(value)) place.tell(place.path, 'must be a list of signals');
    else if (value.length > 0) checkWords(value, place);
  },
  sentimentScore: checkRange,
  turn: checkRange,
  traits: (value, { path, tell, ...place }) => {
    if (!hasKeys(value, TRAIT_NAMES, path, tell)) return;
    for (const [trait, range] of Object.entries(value)) {
      if (range !== undefined) checkRange(range, { ...place, tell, path: `${path}.${trait}` });
    }
  },
  predicate: (value, { path, tell, predicates }) => {
    const names = typeof value === 'string' ? [value] : value;
    if (!isTextList(names)) return tell(path, 'must be a name or a list of names');
    const unknown = names.find((name) => predicates && !predicates.has(name));
    if (unknown !== undefined) tell(path, `names "${unknown}", which is no predicate of this engine`);
  },
  text: checkText,
  not: (value, place) => checkCriteria(value, { ...place, depth: place.depth + 1 }),
  anyOf: (value, { path, tell, ...place }) => {
    if (!Array.isArray(value) || value.length === 0) return tell(path, 'must be a list that is not empty');
    for (const [index, branch] of value.entries())
      checkCriteria(branch, { ...place, tell, path: `${path}[${index}]`, depth: place.depth + 1 });
  },
};

const TIMED = ['sticky', 'cooldown', 'delay', 'probability'] as const;
const TEXT_KEYS: readonly (keyof TextCriteria)[] = ['keys', 'secondaryKeys', 'wholeWord', 'caseSensitive', 'scanDepth', ...TIMED];

function checkText(value: unknown, { path, tell, depth }: Place): void {
  if (!hasKeys(value, TEXT_KEYS, path, tell)) return;
  // Inside `not` and `anyOf` stickiness, rest, delay and chance have no one element to belong to.
  const misplaced = depth === 0 ? undefined : TIMED.find((key) => value[key] !== undefined);
  if (misplaced !== undefined) tell(`${path}.${misplaced}`, 'works only in the outermost text criterion of an element');
  const demand = (key: keyof TextCriteria, fits: (given: unknown) => boolean, problem: string): void => {
    if (value[key] !== undefined && !fits(value[key])) tell(`${path}.${key}`, problem);
  };
  for (const flag of ['wholeWord', 'caseSensitive'] as const) demand(flag, (given) => typeof given === 'boolean', 'must be true or false');
  demand('probability', (given) => typeof given === 'number' && given >= 0 && given <= 1, 'must be from 0 to 1');
  demand('scanDepth', (given) => Number.isInteger(given) && (given as number) >= 1, 'must be a whole number from 1');
  for (const key of ['keys', 'secondaryKeys'] as const) {
    const words = value[key];
    if (words === undefined && key === 'secondaryKeys') continue;
    if (!isTextList(words)) tell(`${path}.${key}`, 'must be a list of texts, none blank');
    else
      for (const [index, word] of words.entries()) {
        const read = isPattern(word) ? checkPattern(word) : undefined;
        if (read && 'problem' in read) tell(`${path}.${key}[${index}]`, read.problem, 'pattern_unsafe');
      }
  }
  for (const key of ['sticky', 'cooldown', 'delay'] as const)
    demand(key, (given) => Number.isInteger(given) && (given as number) >= 0, 'must be a whole number of turns from 0');
}

function checkWords(value: unknown, { path, tell }: Place): void {
  if (!isTextList(typeof value === 'string' ? [value] : value)) tell(path, 'must be a word or a list of words, none of them blank');
}

function checkScale(
  value: { readonly [key: string]: unknown },
  { path, tell }: Place,
  scale: readonly string[],
  parse: (word: unknown) => string | undefined,
): void {
  if (!hasKeys(value, ['atLeast', 'atMost'], path, tell)) return;
  const rankOf = (bound: 'atLeast' | 'atMost', missing: number): number => {
    if (value[bound] === undefined) return missing;
    const rank = scale.indexOf(parse(value[bound]) ?? '');
    if (rank < 0) tell(`${path}.${bound}`, `must be one of ${scale.join(', ')}`);
    return rank < 0 ? missing : rank;
  };
  if (rankOf('atLeast', 0) > rankOf('atMost', scale.length - 1)) tell(path, 'has a lower bound above its upper bound');
}

function checkRange(value: unknown, { path, tell }: Place): void {
  if (!hasKeys(value, ['min', 'max'], path, tell)) return;
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = value;
  if (!(typeof min === 'number' && typeof max === 'number' && min <= max)) tell(path, 'must have numbers as bounds, min not above max');
}

/** False, and told, when it is not an object or has a key that is not known. */
export function hasKeys(
  value: unknown,
  known: readonly string[],
  path: string,
  tell: (path: string, problem: string) => void,
): value is { readonly [key: string]: unknown } {
  if (!isRecord(value)) {
    tell(path, 'must be an object');
    return false;
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return true;
  tell(`${path}.${unknown}`, `is not known. Known here are ${known.join(', ')}`);
  return false;
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list of texts, not empty, none of them blank to the eye. */
function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && /[^\s\p{Cf}]/u.test(item));
}
