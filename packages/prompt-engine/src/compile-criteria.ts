import {
  type ElementCriteria,
  type NumberRange,
  parseMood,
  parseSkillLevel,
  parseTaskComplexity,
  type ScaleRange,
  SKILL_LEVELS,
  TASK_COMPLEXITIES,
  type TextCriteria,
  TRAIT_NAMES,
} from '@x/core';
import { compileText, type TextTest } from './compile-text.js';
import type { MatchContext } from './match-context.js';
import { checkKeys, isPlainObject, isTextList, refuse } from './read-shape.js';

/** One condition, ready to run. */
export interface CriteriaTest {
  /** Such as `criteria.mood`. */
  readonly path: string;
  /** It reads nothing but mood, skill and complexity. */
  readonly ofState: boolean;
  readonly holds: (context: MatchContext) => boolean;
}

export interface CompiledCriteria {
  /** All must hold. */
  readonly tests: readonly CriteriaTest[];
  /** Words that must stand in the conversation, apart from `tests` because it may stick and rest. */
  readonly text?: TextTest | undefined;
  /** `true` or `false` when no context can change the outcome. */
  readonly constant?: boolean | undefined;
}

/** Names of the predicates that a host gave. */
export type KnownPredicates = ReadonlySet<string>;

/**
 * Reads criteria once, so that matching them later is cheap. Strict: what it does not know is an error, because an
 * ignored condition would put text into prompts where it does not belong.
 *
 * @throws {@link CriteriaInvalidError}, {@link PatternUnsafeError}
 */
export function compileCriteria(criteria: ElementCriteria | undefined, predicates: KnownPredicates, path = 'criteria'): CompiledCriteria {
  return compile(criteria, predicates, path, true);
}

/** True when criteria hold in a context; text criteria are judged by this turn alone, without stickiness or rest. */
export function criteriaHold({ tests, text, constant }: CompiledCriteria, context: MatchContext): boolean {
  if (constant !== undefined) return constant;
  for (const test of tests) if (!test.holds(context)) return false;
  return text === undefined || text.occurs(context);
}

type Reader = (value: never, path: string, predicates: KnownPredicates) => CriteriaTest['holds'] | boolean;

const READERS: { readonly [K in Exclude<keyof ElementCriteria, 'text'>]-?: Reader } = {
  mood: (value, path) => wordsHold(value, path, (context) => context.mood, parseMood),
  userSkillLevel: (value, path) =>
    isPlainObject(value)
      ? scaleHolds(value, path, SKILL_LEVELS, parseSkillLevel, (context) => context.skillRank)
      : wordsHold(value, path, (context) => context.skill, parseSkillLevel),
  taskComplexity: (value, path) =>
    isPlainObject(value)
      ? scaleHolds(value, path, TASK_COMPLEXITIES, parseTaskComplexity, (context) => context.complexityRank)
      : wordsHold(value, path, (context) => context.complexity, parseTaskComplexity),
  taskHint: (value, path) => {
    const parts = readWords(value, path);
    return (context) => parts.some((part) => context.taskHint.includes(part));
  },
  language: (value, path) => {
    const tags = readWords(value, path);
    return (context) => tags.some((tag) => context.language === tag || context.language.startsWith(`${tag}-`));
  },
  conversationSignals: (value, path) => {
    if (!Array.isArray(value)) refuse(path, 'must be a list of signals');
    if ((value as readonly unknown[]).length === 0) return true;
    const signals = readWords(value, path);
    return (context) => signals.every((signal) => context.signals.includes(signal));
  },
  sentimentScore: (value, path) => rangeHolds(value, path, (context) => context.sentimentScore),
  turn: (value, path) => rangeHolds(value, path, (context) => context.turn),
  traits: (value, path) => {
    checkKeys(value, TRAIT_NAMES, path);
    const tests = Object.entries(value as object)
      .filter(([, range]) => range !== undefined)
      .map(([trait, range]) => rangeHolds(range as never, `${path}.${trait}`, (context) => context.trait(trait)));
    return tests.length === 0 ? true : (context) => tests.every((holds) => holds(context));
  },
  predicate: (value, path, predicates) => {
    const names: readonly string[] = typeof value === 'string' ? [value] : value;
    if (!isTextList(names)) refuse(path, 'must be a name or a list of names');
    const unknown = names.find((name) => !predicates.has(name));
    if (unknown !== undefined) refuse(path, `names "${unknown}", which is no predicate of this engine`);
    return (context) => names.every((name) => context.predicate(name));
  },
  not: (value, path, predicates) => {
    const inner = compile(value, predicates, path, false);
    return inner.constant === undefined ? (context) => !criteriaHold(inner, context) : !inner.constant;
  },
  anyOf: (value: unknown, path, predicates) => {
    if (!Array.isArray(value) || value.length === 0) refuse(path, 'must be a list that is not empty');
    const branches = value.map((branch, index) => compile(branch, predicates, `${path}[${index}]`, false));
    if (branches.some((branch) => branch.constant === true)) return true;
    const open = branches.filter((branch) => branch.constant === undefined);
    return open.length === 0 ? false : (context) => open.some((branch) => criteriaHold(branch, context));
  },
};

const OF_STATE: ReadonlySet<string> = new Set<keyof ElementCriteria>(['mood', 'userSkillLevel', 'taskComplexity']);

function compile(criteria: ElementCriteria | undefined, predicates: KnownPredicates, path: string, timed: boolean): CompiledCriteria {
  if (criteria === undefined) return { tests: [], constant: true };
  checkKeys(criteria, [...Object.keys(READERS), 'text'], path);
  const tests: CriteriaTest[] = [];
  let constant: boolean | undefined = true;
  for (const [key, read] of Object.entries(READERS) as [keyof typeof READERS, Reader][]) {
    const value = criteria[key];
    if (value === undefined) continue;
    const holds = read(value as never, `${path}.${key}`, predicates);
    if (holds === false) return { tests: [{ path: `${path}.${key}`, ofState: false, holds: () => false }], constant: false };
    if (holds === true) continue;
    constant = undefined;
    tests.push({ path: `${path}.${key}`, ofState: OF_STATE.has(key), holds });
  }
  if (criteria.text === undefined) return { tests, constant };
  return { tests, text: compileText(criteria.text as TextCriteria, `${path}.text`, timed) };
}

function readWords(value: unknown, path: string): readonly string[] {
  const list = typeof value === 'string' ? [value] : value;
  if (!isTextList(list)) refuse(path, 'must be a word or a list of words, none of them blank');
  return list.map((word) => word.trim().toLowerCase());
}

function wordsHold(
  value: unknown,
  path: string,
  read: (context: MatchContext) => string,
  parse: (word: string) => string | undefined = () => undefined,
): CriteriaTest['holds'] {
  const words = readWords(value, path).map((word) => parse(word) ?? word);
  const [only] = words;
  if (words.length === 1) return (context) => read(context) === only;
  return (context) => words.includes(read(context));
}

function scaleHolds(
  value: ScaleRange,
  path: string,
  scale: readonly string[],
  parse: (word: unknown) => string | undefined,
  read: (context: MatchContext) => number,
): CriteriaTest['holds'] {
  checkKeys(value, ['atLeast', 'atMost'], path);
  const rankOf = (bound: 'atLeast' | 'atMost', missing: number): number => {
    if (value[bound] === undefined) return missing;
    const word = parse(value[bound]);
    if (word === undefined) refuse(`${path}.${bound}`, `must be one of ${scale.join(', ')}`);
    return scale.indexOf(word);
  };
  const lowest = rankOf('atLeast', 0);
  const highest = rankOf('atMost', scale.length - 1);
  if (lowest > highest) refuse(path, 'has a lower bound above its upper bound');
  return (context) => read(context) >= lowest && read(context) <= highest;
}

function rangeHolds(value: NumberRange, path: string, read: (context: MatchContext) => number | undefined): CriteriaTest['holds'] {
  checkKeys(value, ['min', 'max'], path);
  const { min = -Infinity, max = Infinity } = value;
  if (typeof min !== 'number' || typeof max !== 'number' || !(min <= max)) {
    refuse(path, 'must have numbers as bounds, min not above max');
  }
  return (context) => {
    const number = read(context);
    return number !== undefined && number >= min && number <= max;
  };
}
