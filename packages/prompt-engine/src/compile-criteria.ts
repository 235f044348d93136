import {
  criteriaFaults,
  type ElementCriteria,
  type NumberRange,
  type OneOrAny,
  parseMood,
  parseSkillLevel,
  parseTaskComplexity,
  type ScaleRange,
  SKILL_LEVELS,
  TASK_COMPLEXITIES,
} from '@x/core';
import { compileText, type TextTest } from './compile-text.js';
import { type MatchContext, tagOf } from './match-context.js';
import { refuseFaults } from './refuse-faults.js';

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
 * Reads criteria once, so that matching them later is cheap.
 *
 * @throws {@link CriteriaInvalidError}, {@link PatternUnsafeError}
 */
export function compileCriteria(criteria: ElementCriteria | undefined, predicates: KnownPredicates, path = 'criteria'): CompiledCriteria {
  if (criteria !== undefined) refuseFaults(criteriaFaults(criteria, path, { predicates }));
  return readCriteria(criteria, path);
}

/** {@link compileCriteria} for criteria that were checked. */
export function readCriteria(criteria: ElementCriteria | undefined, path: string): CompiledCriteria {
  return criteria === undefined ? { tests: [], constant: true } : compile(criteria, path);
}

/** True when criteria hold in a context; text criteria are judged by this turn alone, without stickiness or rest. */
export function criteriaHold({ tests, text, constant }: CompiledCriteria, context: MatchContext): boolean {
  if (constant !== undefined) return constant;
  for (const test of tests) if (!test.holds(context)) return false;
  return text === undefined || text.occurs(context);
}

type Reader = (value: never, path: string) => CriteriaTest['holds'] | boolean;

const READERS: { readonly [K in Exclude<keyof ElementCriteria, 'text'>]-?: Reader } = {
  mood: (value) => wordsHold(value, (context) => context.mood, parseMood),
  userSkillLevel: (value) =>
    isScale(value)
      ? scaleHolds(value, SKILL_LEVELS, parseSkillLevel, (context) => context.skillRank)
      : wordsHold(value, (context) => context.skill, parseSkillLevel),
  taskComplexity: (value) =>
    isScale(value)
      ? scaleHolds(value, TASK_COMPLEXITIES, parseTaskComplexity, (context) => context.complexityRank)
      : wordsHold(value, (context) => context.complexity, parseTaskComplexity),
  taskHint: (value) => {
    const parts = readWords(value);
    return (context) => parts.some((part) => context.taskHint.includes(part));
  },
  language: (value) => {
    const tags = readWords(value).map(tagOf);
    return (context) => tags.some((tag) => context.language === tag || context.language.startsWith(`${tag}-`));
  },
  conversationSignals: (value) => {
    const signals = readWords(value);
    return signals.length === 0 ? true : (context) => signals.every((signal) => context.signals.includes(signal));
  },
  sentimentScore: (value) => rangeHolds(value, (context) => context.sentimentScore),
  turn: (value) => rangeHolds(value, (context) => context.turn),
  traits: (value) => {
    const tests = Object.entries(value as NonNullable<ElementCriteria['traits']>).flatMap(([trait, range]) =>
      range === undefined ? [] : [rangeHolds(range, (context) => context.trait(trait))],
    );
    return tests.length === 0 ? true : (context) => tests.every((holds) => holds(context));
  },
  predicate: (value) => {
    const names: readonly string[] = typeof value === 'string' ? [value] : value;
    return (context) => names.every((name) => context.predicate(name));
  },
  not: (value, path) => {
    const inner = compile(value, path);
    return inner.constant === undefined ? (context) => !criteriaHold(inner, context) : !inner.constant;
  },
  anyOf: (value: readonly ElementCriteria[], path) => {
    const branches = value.map((branch, index) => compile(branch, `${path}[${index}]`));
    if (branches.some((branch) => branch.constant === true)) return true;
    const open = branches.filter((branch) => branch.constant === undefined);
    return open.length === 0 ? false : (context) => open.some((branch) => criteriaHold(branch, context));
  },
};

const OF_STATE: ReadonlySet<string> = new Set<keyof ElementCriteria>(['mood', 'userSkillLevel', 'taskComplexity']);

function compile(criteria: ElementCriteria, path: string): CompiledCriteria {
  const tests: CriteriaTest[] = [];
  let constant: boolean | undefined = true;
  for (const [key, read] of Object.entries(READERS) as [keyof typeof READERS, Reader][]) {
    const value = criteria[key];
    if (value === undefined) continue;
    const holds = read(value as never, `${path}.${key}`);
    if (holds === false) return { tests: [{ path: `${path}.${key}`, ofState: false, holds: () => false }], constant: false };
    if (holds === true) continue;
    constant = undefined;
    tests.push({ path: `${path}.${key}`, ofState: OF_STATE.has(key), holds });
  }
  return criteria.text === undefined ? { tests, constant } : { tests, text: compileText(criteria.text, `${path}.text`) };
}

function isScale(value: OneOrAny | ScaleRange): value is ScaleRange {
  return typeof value === 'object' && !Array.isArray(value);
}

function readWords(value: OneOrAny): readonly string[] {
  return (typeof value === 'string' ? [value] : value).map((word) => word.trim().toLowerCase());
}

function wordsHold(
  value: OneOrAny,
  read: (context: MatchContext) => string,
  parse: (word: string) => string | undefined,
): CriteriaTest['holds'] {
  const words = readWords(value).map((word) => parse(word) ?? word);
  const [only] = words;
  if (words.length === 1) return (context) => read(context) === only;
  return (context) => words.includes(read(context));
}

function scaleHolds(
  { atLeast = '', atMost = '' }: ScaleRange,
  scale: readonly string[],
  parse: (word: unknown) => string | undefined,
  read: (context: MatchContext) => number,
): CriteriaTest['holds'] {
  const lowest = Math.max(0, scale.indexOf(parse(atLeast) ?? ''));
  const last = scale.indexOf(parse(atMost) ?? '');
  const highest = last < 0 ? scale.length - 1 : last;
  return (context) => read(context) >= lowest && read(context) <= highest;
}

function rangeHolds(
  { min = -Infinity, max = Infinity }: NumberRange,
  read: (context: MatchContext) => number | undefined,
): CriteriaTest['holds'] {
  return (context) => {
    const number = read(context);
    return number !== undefined && number >= min && number <= max;
  };
}
